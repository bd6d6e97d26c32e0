package scancheck

import (
	"fmt"
	"strings"

	"comus/cir"
)

// What a thread has put into a variable of its own stays there until it puts something else there: a _Thread_local variable whose address is used for nothing but to load and
// store it, and what pthread_setspecific was given for a key. From that it follows of some branches which way they go. It is found out here for
// each copy by following texts: "5" is a number, "&local 3" and "&global x" are addresses, "key x" is what the key's variable x holds.

// branches tell which ways are never gone.
type branches struct {
	ts     *threads
	locals map[*cir.Global]bool // variables of threads that are followed
	keys   map[*cir.Global]bool
	sets   map[int]bool // copies that may set what belongs to a key
	none   bool
	gone   map[int]map[*cir.Block][2]bool // ways that may be gone, by copy
}

// elsewhere are functions of the library from which control may get anywhere.
var elsewhere = []string{"signal", "sigaction", "bsd_signal", "sigset", "sysv_signal", "__sysv_signal", "swapcontext", "setcontext", "makecontext"}

func newBranches(ts *threads) *branches {
	x := &branches{ts: ts, locals: map[*cir.Global]bool{}, keys: map[*cir.Global]bool{}, sets: map[int]bool{}, gone: map[int]map[*cir.Block][2]bool{}}
	for _, g := range ts.prog.Globals {
		if g.External || g.Library {
			continue
		}
		if g.ThreadLocal {
			x.locals[g] = true
		} else {
			x.keys[g] = true
		}
	}
	bad := func(v cir.Value) {
		if g, ok := v.(*cir.Global); ok {
			delete(x.locals, g)
			delete(x.keys, g)
		}
	}
	for _, f := range ts.prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
				case *cir.Store:
					bad(in.X)
					if g, ok := in.Addr.(*cir.Global); ok && !g.ThreadLocal {
						delete(x.keys, g)
					}
				case *cir.Call:
					made := nameIn(in) == "pthread_key_create"
					cir.Operands(in, func(v cir.Value) {
						if !made || v != in.Args[0].X {
							bad(v)
						}
					})
				default:
					cir.Operands(in, bad)
				}
			}
			cir.TermOperands(b.Term, bad)
		}
	}
	for _, g := range ts.prog.Globals {
		for _, r := range g.Relocs {
			if v, ok := r.Target.(cir.Value); ok {
				bad(v)
			}
		}
	}
	x.findCalls()
	return x
}

// nameIn returns the name of the library's function that a call calls directly.
func nameIn(call *cir.Call) string {
	if f, direct := call.Callee.(*cir.Func); direct && f.Library {
		return f.Source
	}
	return ""
}

// findCalls finds the keys that are created while nobody but the first thread runs, and what may set what belongs to one.
func (x *branches) findCalls() {
	for c, cp := range x.ts.copies {
		if cp.Func.Library && (cp.Func.Source == "pthread_setspecific" || cp.Func.Source == "pthread_key_create") {
			x.sets[c] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for c, cp := range x.ts.copies {
			for _, b := range cp.Func.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok {
						continue
					}
					for _, to := range x.ts.callees(c, call).to {
						if x.sets[to] && !x.sets[c] {
							x.sets[c], changed = true, true
						}
					}
					for _, f := range x.ts.pts.Callees(cp.Func, cp.Ctx, call) {
						for _, name := range elsewhere {
							x.none = x.none || f.Source == name && !cp.Func.Library && (f.Library || len(f.Blocks) == 0)
						}
					}
				}
			}
		}
	}
	for _, t := range x.ts.list {
		for _, n := range t.order {
			x.ts.each(t, n, func(in cir.Located, running set) {
				call, ok := in.(*cir.Call)
				if !ok || nameIn(call) != "pthread_key_create" {
					return
				}
				if g, ok := call.Args[0].X.(*cir.Global); ok && (t.index != 0 || running != set{}) {
					delete(x.keys, g)
				}
			}, func(*cir.Block, effect) {})
		}
	}
}

// never reports whether control never leaves a block of a copy along its n-th edge.
func (x *branches) never(c int, b *cir.Block, n int) bool {
	if _, ok := b.Term.(*cir.Branch); !ok || x == nil || x.none || n > 1 {
		return false
	}
	m, known := x.gone[c]
	if !known {
		m = x.follow(c)
		x.gone[c] = m
	}
	return m != nil && !m[b][n]
}

// texts are what is known where control is: of variables, keys and registers.
type texts map[string]string

// follow goes through a copy until nothing changes; nil if control may come back to its middle.
func (x *branches) follow(c int) map[*cir.Block][2]bool {
	f := x.ts.copies[c].Func
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return nil
			}
		}
	}
	gone := map[*cir.Block][2]bool{}
	begin := map[*cir.Block]texts{f.Blocks[0]: {}}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			if begin[b] == nil {
				continue
			}
			s := texts{}
			for k, v := range begin[b] {
				s[k] = v
			}
			for _, in := range b.Instrs {
				x.pass(c, in, s)
			}
			n := -1
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				n++
				if br, ok := b.Term.(*cir.Branch); ok {
					if cond := s.of(br.Cond); cond == "0" && n == 0 || cond == "1" && n == 1 {
						return
					}
				}
				if n < 2 {
					w := gone[b]
					w[n] = true
					gone[b] = w
				}
				if begin[to] == nil {
					begin[to], changed = texts{}, true
					for k, v := range s {
						begin[to][k] = v
					}
				}
				for k, v := range begin[to] {
					if s[k] != v {
						delete(begin[to], k)
						changed = true
					}
				}
				for _, p := range to.Params {
					delete(begin[to], register(p))
				}
			})
		}
	}
	return gone
}

func register(r *cir.Reg) string { return fmt.Sprintf("register %d", r.Index) }

// of returns what an operand is, "" if that is not known.
func (s texts) of(v cir.Value) string {
	switch v := v.(type) {
	case cir.Int:
		if n, ok := v.Int64(); ok {
			return fmt.Sprint(n)
		}
	case cir.Null:
		if v.Addr == 0 {
			return "0"
		}
	case *cir.Local:
		if v.Size > 0 {
			return fmt.Sprintf("&local %d", v.Index)
		}
	case *cir.Global:
		if !v.External && v.Shape != nil && v.Shape.Size > 0 {
			if v.Literal {
				return literal + v.Name
			}
			return "&global " + v.Name
		}
	case *cir.Reg:
		return s[register(v)]
	}
	return ""
}

// literal begins the address of a string literal: where two of them lie, apart or in one another, is the compiler's choice.
const literal = "&literal "

// put notes what something is.
func (s texts) put(k, v string) {
	if delete(s, k); v != "" {
		s[k] = v
	}
}

// forget forgets all of which f holds.
func (s texts) forget(f func(k, v string) bool) {
	for k, v := range s {
		if f(k, v) {
			delete(s, k)
		}
	}
}

// pass carries what is known over an instruction of a copy.
func (x *branches) pass(c int, in cir.Instr, s texts) {
	for _, r := range cir.Results(in) {
		delete(s, register(r))
	}
	model := x.ts.prog.Model
	whole := func(v cir.Value, a cir.Access) (*cir.Global, bool) {
		g, ok := v.(*cir.Global)
		return g, ok && a.Bits == nil && !a.Volatile && !a.Type.IsFloat() && g.Shape != nil && model.SizeOf(a.Type) == g.Shape.Size
	}
	switch in := in.(type) {
	case *cir.Load:
		g, ok := whole(in.Addr, in.Access)
		switch {
		case ok && x.locals[g]:
			s.put(register(in.Dst), s["own "+g.Name])
		case ok && x.keys[g]:
			s.put(register(in.Dst), "key "+g.Name)
		}
	case *cir.Store:
		g, ok := in.Addr.(*cir.Global)
		if _, all := whole(in.Addr, in.Access); ok && x.locals[g] {
			if delete(s, "own "+g.Name); all {
				s.put("own "+g.Name, s.of(in.X))
			}
		}
	case *cir.LifeStart:
		s.forget(func(_, v string) bool { return v == s.of(in.Local) })
	case *cir.Call:
		x.called(c, in, s)
	case *cir.Compare:
		a, b := s.of(in.X), s.of(in.Y)
		address := strings.HasPrefix(a, "&") || strings.HasPrefix(b, "&")
		numbers := a != "" && b != "" && a[0] != '&' && b[0] != '&'
		switch {
		case a == "" || b == "" || a[0] == 'k' || b[0] == 'k' || in.Pred != cir.Eq && in.Pred != cir.Ne:
		case a != b && strings.HasPrefix(a, literal) && strings.HasPrefix(b, literal):
		case !numbers && !(address && (a == "0" || b == "0" || a[0] == b[0])): // an address and another number
		default:
			s.put(register(in.Dst), map[bool]string{true: "1", false: "0"}[(a == b) == (in.Pred == cir.Eq)])
		}
	case *cir.Convert:
		v, from, to := s.of(in.X), model.TypeOf(in.X), in.Dst.Type
		switch {
		case v == "":
		case from.IsPointer() && to.IsPointer():
			s.put(register(in.Dst), v)
		case from.IsInt() && to == cir.Bool && (v == "0" || v == "1"):
			s.put(register(in.Dst), v)
		case from.IsInt() && to.IsInt() && to != cir.Bool && v[0] != '&' && v[0] != 'k' && to.Bits >= from.Bits && (to.Signed || !from.Signed):
			s.put(register(in.Dst), v)
		}
	}
}

// called carries what is known over a call.
func (x *branches) called(c int, in *cir.Call, s texts) {
	cp := x.ts.copies[c]
	switch nameIn(in) {
	case "pthread_getspecific":
		if key := s.of(in.Args[0].X); strings.HasPrefix(key, "key ") && in.Dst != nil {
			s.put(register(in.Dst), s["belongs to "+key])
		}
		return
	case "pthread_setspecific":
		s.forget(func(k, _ string) bool { return strings.HasPrefix(k, "belongs to ") })
		if key := s.of(in.Args[0].X); strings.HasPrefix(key, "key ") {
			s.put("belongs to "+key, s.of(in.Args[1].X))
		}
		return
	}
	to := x.ts.callees(c, in)
	writes := func(name string) bool {
		for _, o := range x.ts.pts.Objects {
			if o.Global != nil && o.Global.Name == name {
				return to.outside || x.ts.pts.MayWrite(cp, in, o)
			}
		}
		return true
	}
	sets := to.outside
	for _, m := range to.to {
		sets = sets || x.sets[m]
	}
	s.forget(func(k, v string) bool {
		own, isOwn := strings.CutPrefix(k, "own ")
		key, isKey := strings.CutPrefix(v, "key ")
		return strings.HasPrefix(k, "belongs to ") && sets || isOwn && writes(own) || isKey && writes(key)
	})
}
