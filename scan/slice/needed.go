package slice

import (
	"strings"

	"comus/cir"
)

// reduction is a run of Of.
type reduction struct {
	prog  *cir.Program
	funcs map[*cir.Func]*function
	order []*function
	work  []item
	// references tells that some function counts references to objects.
	references bool
	parts      map[cir.Value]bool // registers with numbers that are computed of addresses, and locals that hold such, or addresses
}

// item is a register or local that has become needed.
type item struct {
	x *function
	v cir.Value // *cir.Reg or *cir.Local; nil: the result
}

// maxReferences is how many references to an object may be there in the beginning.
const maxReferences = 4

// need notes that the value of an operand is needed.
func (r *reduction) need(x *function, v cir.Value) {
	if reg, ok := v.(*cir.Reg); ok && !x.needed[reg.Index] {
		x.needed[reg.Index], x.changed = true, true
		r.work = append(r.work, item{x, reg})
	}
}

func (r *reduction) needLocal(x *function, l *cir.Local) {
	if !x.lives[l.Index] {
		x.lives[l.Index], x.changed = true, true
		r.work = append(r.work, item{x, l})
	}
}

func (r *reduction) needResult(x *function) {
	if !x.returns {
		x.returns, x.changed = true, true
		r.work = append(r.work, item{x, nil})
	}
}

// roots states what is needed whatever becomes of the rest: what is not just computed.
func (r *reduction) roots(x *function) {
	needed := func(v cir.Value) { r.need(x, v) }
	if x.taken || x.fixed || !x.quiet || !isNumber(x.Result.Type) {
		r.needResult(x)
	}
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				if x.fixed || x.local(in.Addr) == nil {
					needed(in.Addr)
					if x.fixed || !r.forgets(x, in) {
						needed(in.X)
					}
				}
			case *cir.Call:
				r.rootsOfCall(x, in)
			default:
				if x.fixed || !x.computes(in) {
					cir.Operands(in, needed)
				}
			}
		}
		switch t := b.Term.(type) {
		case *cir.Return:
		case *cir.Branch, *cir.Switch:
			x.open = append(x.open, t)
		default:
			if _, ok := t.(*cir.Jump); !ok || x.fixed {
				cir.TermOperands(t, needed)
			}
		}
	}
}

func (r *reduction) rootsOfCall(x *function, in *cir.Call) {
	f, direct := in.Callee.(*cir.Func)
	if !direct {
		r.need(x, in.Callee)
	}
	if in.To != nil {
		r.need(x, in.To)
	}
	if direct {
		g := r.funcs[f]
		g.calls = append(g.calls, call{x, in})
	}
	for i := range in.Args {
		if !direct || x.fixed || !r.ignores(in, f, i) {
			r.need(x, in.Args[i].X)
		}
	}
}

// ignores reports whether it is up to a function whether an argument of a call is needed: a number, and it is no allocator, whose calls are told apart by them.
func (r *reduction) ignores(in *cir.Call, f *cir.Func, i int) bool {
	a := in.Args[i]
	return !f.Library && len(f.Blocks) > 0 && !f.Variadic && !f.Result.Type.IsPointer() && len(in.Args) == len(f.Params) &&
		a.ByVal == nil && f.Params[i].ByVal == nil && isNumber(f.Params[i].Reg.Type) && r.prog.Model.TypeOf(a.X) == f.Params[i].Reg.Type
}

// forgets reports whether the number that is stored by way of a pointer matters to nobody.
func (r *reduction) forgets(x *function, in *cir.Store) bool {
	t := in.Type
	if in.Order != cir.Plain || !isNumber(t) || (x.tallies || x.slots || x.puts || x.putsFor && x.ofParam(in.X)) && t.IsInt() {
		return false
	}
	global := false // where it may be a flag
	switch x.base(in.Addr).(type) {
	case *cir.Local: // what it holds is followed
		return false
	case *cir.Global:
		global = true
	}
	switch v := in.X.(type) {
	case cir.Int:
		first := r.references && v.Lo <= maxReferences // how many references there are in the beginning
		return !global && (v.Lo != 0 || v.Hi != 0) && !first
	case *cir.Reg:
		if sum, ok := x.def(v).(*cir.Binary); ok && r.references && isOne(sum.Y) {
			return false
		}
		return t.IsFloat() || t.Bits < r.prog.Model.PointerBits && (!global || x.varies(v, nil)) && !r.parts[v]
	}
	return t.IsFloat()
}

// isOne reports whether a value is 1 or -1.
func isOne(v cir.Value) bool {
	n, ok := v.(cir.Int)
	return ok && (n.Lo == 1 || n.Hi != 0 && int64(n.Lo) == -1)
}

// solve finds all that is needed.
func (r *reduction) solve() {
	for {
		for len(r.work) > 0 {
			w := r.work[len(r.work)-1]
			r.work = r.work[:len(r.work)-1]
			r.follow(w)
		}
		for _, x := range r.order {
			if x.changed {
				x.changed = false
				r.conditions(x)
			}
		}
		if len(r.work) == 0 {
			return
		}
	}
}

// follow states what is needed for what is.
func (r *reduction) follow(w item) {
	x := w.x
	switch v := w.v.(type) {
	case nil:
		for _, b := range x.Blocks {
			if t, ok := b.Term.(*cir.Return); ok && t.X != nil {
				r.need(x, t.X)
			}
		}
	case *cir.Local:
		for _, in := range x.stores[v.Index] {
			r.need(x, in.X)
		}
	case *cir.Reg:
		in := x.defs[v.Index]
		switch {
		case in == nil && x.blocks[v.Index] != nil:
			for _, args := range x.into[x.blocks[v.Index]] {
				r.need(x, args[x.place[v.Index]])
			}
		case in == nil: // a parameter of the function
			for _, c := range x.calls {
				if i := x.place[v.Index]; i < len(c.in.Args) {
					r.need(c.from, c.in.Args[i].X)
				}
			}
		default:
			r.result(x, in)
		}
	}
}

// result states what is needed for the result of an instruction.
func (r *reduction) result(x *function, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		if l := x.local(in.Addr); l != nil {
			r.needLocal(x, l)
		}
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok {
			r.needResult(r.funcs[f])
		}
	default:
		if x.computes(in) {
			cir.Operands(in, func(v cir.Value) { r.need(x, v) })
		}
	}
}

// loud are intrinsics that lock, create, join, or say what is assumed.
var loud = map[cir.IntrinsicOp]bool{cir.Lock: true, cir.Unlock: true, cir.AtomicBegin: true, cir.AtomicEnd: true, cir.ThreadCreate: true, cir.ThreadJoined: true, cir.ThreadExit: true,
	cir.ThreadEnded: true, cir.Setjmp: true, cir.Longjmp: true, cir.Assumed: true}

// findQuiet finds the functions that, with all they call, do nothing that locks or threads have to do with.
func (r *reduction) findQuiet() {
	for _, x := range r.order {
		x.quiet = !strings.HasPrefix(x.Source, "pthread_") && !strings.HasPrefix(x.Source, "sem_") && !x.Atomic
	}
	for changed := true; changed; {
		changed = false
		for _, x := range r.order {
			if x.quiet && !r.isQuiet(x) {
				x.quiet, changed = false, true
			}
		}
	}
}

func (r *reduction) isQuiet(x *function) bool {
	if len(x.Blocks) == 0 {
		return x.Unknown == cir.Contract || x.Unknown == cir.Pure
	}
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Intrinsic:
				if loud[in.Op] {
					return false
				}
			case *cir.Call:
				if f, ok := in.Callee.(*cir.Func); !ok || !r.funcs[f].quiet {
					return false
				}
			}
		}
	}
	return true
}
