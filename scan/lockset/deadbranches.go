package lockset

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// A thread knows what it has put into its own variables (_Thread_local, whose addresses go nowhere, and pthread_setspecific), whatever others do. So a branch may be
// decided that depends on it: a lock that is taken under such a condition, and given back under it, is held in between. This follows constants and addresses of
// variables through a function, with the edges that are never taken left out (as conditional constant propagation does, Wegman and Zadeck 1991).

// deadBranches tells which edges are never taken.
type deadBranches struct {
	prog   *cir.Program
	pts    *pointsto.Result
	single func(pointsto.Copy, cir.Instr) bool
	vars   map[*cir.Global]*pointsto.Object // a thread's own, and keys
	key    map[*cir.Global]bool
	sets   map[pointsto.Copy]bool // may set what belongs to a key
	dead   map[pointsto.Copy]map[edgeOf]bool
	off    bool
}

// edgeOf is the first or second edge of a branch.
type edgeOf struct {
	b *cir.Block
	n int
}

// known is a number, or the address of a variable.
type known struct {
	n  int64
	of cir.Value
}

// kept is what a thread holds: what is in its own variables, by key, and in locals and registers.
type kept map[any]known

// ownOf names what belongs to a key.
type ownOf struct{ key *cir.Global }

// detours are functions of the library that have others called at any time, or come back another time.
var detours = map[string]bool{"signal": true, "sigaction": true, "bsd_signal": true, "sigset": true, "sysv_signal": true, "__sysv_signal": true,
	"swapcontext": true, "setcontext": true, "makecontext": true}

func newDeadBranches(p *cir.Program, pts *pointsto.Result) *deadBranches {
	s := &deadBranches{prog: p, pts: pts, vars: map[*cir.Global]*pointsto.Object{}, key: map[*cir.Global]bool{}, sets: map[pointsto.Copy]bool{}, dead: map[pointsto.Copy]map[edgeOf]bool{}}
	for _, o := range pts.Objects {
		if g := o.Global; g != nil && !g.External && !g.Library {
			s.vars[g] = o
		}
	}
	uses := false
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				uses = s.use(f, in) || uses
			}
			cir.TermOperands(b.Term, s.lose)
		}
	}
	for _, g := range p.Globals {
		for _, r := range g.Relocs {
			if v, ok := r.Target.(cir.Value); ok {
				s.lose(v)
			}
		}
	}
	if s.off = s.off || !uses; !s.off {
		s.single = findPhases(p, pts).Single
		s.findKeys()
	}
	return s
}

func (s *deadBranches) lose(v cir.Value) {
	if g, ok := v.(*cir.Global); ok {
		delete(s.vars, g)
	}
}

// use looks at how an instruction uses globals: what is not loaded and stored only is lost, but for keys that are created. It reports whether the function uses
// what belongs to a thread.
func (s *deadBranches) use(f *cir.Func, in cir.Instr) (uses bool) {
	own := func(v cir.Value) bool {
		g, ok := v.(*cir.Global)
		return ok && g.ThreadLocal && !f.Library
	}
	switch in := in.(type) {
	case *cir.Load:
		return own(in.Addr)
	case *cir.Store:
		s.lose(in.X)
		return own(in.Addr)
	case *cir.Call:
		c, direct := in.Callee.(*cir.Func)
		name := ""
		if direct && c.Library {
			name = c.Source
		}
		for i, a := range in.Args {
			g, ok := a.X.(*cir.Global)
			if ok && i == 0 && name == "pthread_key_create" {
				s.key[g] = true
				continue
			}
			s.lose(a.X)
		}
		s.lose(in.Callee)
		if in.To != nil {
			s.lose(in.To)
		}
		return name == "pthread_setspecific"
	}
	cir.Operands(in, s.lose)
	return false
}

// findKeys finds the globals that are keys, from before there are threads on, and what may set what belongs to one.
func (s *deadBranches) findKeys() {
	callers := map[pointsto.Copy][]pointsto.Copy{}
	var work []pointsto.Copy
	for _, c := range s.pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					if st, ok := in.(*cir.Store); ok && !c.Func.Library {
						if g, ok := st.Addr.(*cir.Global); ok {
							delete(s.key, g)
						}
					}
					continue
				}
				if f, direct := call.Callee.(*cir.Func); direct && f.Source == "pthread_key_create" && !s.single(c, in) {
					if g, ok := call.Args[0].X.(*cir.Global); ok {
						delete(s.key, g)
					}
				}
				for _, f := range s.pts.Callees(c.Func, c.Ctx, call) {
					s.off = s.off || detours[f.Source] && (f.Library || len(f.Blocks) == 0) && !c.Func.Library
				}
				for _, to := range s.pts.Called(c, call) {
					callers[to] = append(callers[to], c)
				}
			}
		}
		if c.Func.Library && (c.Func.Source == "pthread_setspecific" || c.Func.Source == "pthread_key_create") {
			s.sets[c] = true
			work = append(work, c)
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for _, k := range callers[c] {
			if !s.sets[k] {
				s.sets[k] = true
				work = append(work, k)
			}
		}
	}
}

// never reports whether an edge of a branch of a copy is never taken.
func (s *deadBranches) never(c pointsto.Copy, b *cir.Block, n int) bool {
	if s.off || c.Func.Library {
		return false
	}
	m, known := s.dead[c]
	if !known {
		m = s.flow(c)
		s.dead[c] = m
	}
	return m[edgeOf{b, n}]
}

// flow goes through a copy until nothing changes.
func (s *deadBranches) flow(c pointsto.Copy) map[edgeOf]bool {
	dead := map[edgeOf]bool{}
	for _, b := range c.Func.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return dead
			}
		}
	}
	begin := map[*cir.Block]kept{c.Func.Blocks[0]: {}}
	taken := map[edgeOf]bool{}
	for work := []*cir.Block{c.Func.Blocks[0]}; len(work) > 0; work = work[1:] {
		b := work[0]
		k := kept{}
		for x, v := range begin[b] {
			k[x] = v
		}
		for _, in := range b.Instrs {
			s.step(c, in, k)
		}
		n := -1
		br, isBranch := b.Term.(*cir.Branch)
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			n++
			if isBranch {
				if v, ok := k.value(br.Cond); ok && v.of == nil && (v.n != 0) != (n == 0) {
					return
				}
			}
			taken[edgeOf{b, n}] = true
			if met, changed := meetKept(begin[to], k, to); changed {
				begin[to] = met
				work = append(work, to)
			}
		})
	}
	for _, b := range c.Func.Blocks {
		if _, is := b.Term.(*cir.Branch); is && begin[b] != nil {
			for n := range 2 {
				if !taken[edgeOf{b, n}] {
					dead[edgeOf{b, n}] = true
				}
			}
		}
	}
	return dead
}

// meetKept returns what is kept on two ways to a block; nil is what nobody has come with yet.
func meetKept(old, k kept, to *cir.Block) (kept, bool) {
	params := map[any]bool{}
	for _, p := range to.Params {
		params[p.Index] = true
	}
	out, changed := kept{}, old == nil
	for x, v := range k {
		if params[x] {
			continue
		}
		if w, ok := old[x]; old == nil || ok && w == v {
			out[x] = v
		}
	}
	return out, changed || len(out) < len(old)
}

// value returns what an operand is.
func (k kept) value(v cir.Value) (known, bool) {
	switch v := v.(type) {
	case cir.Int:
		n, ok := v.Int64()
		return known{n: n}, ok
	case cir.Null:
		return known{}, v.Addr == 0
	case *cir.Local:
		return known{of: v}, v.Size > 0
	case *cir.Global:
		return known{of: v}, v.Shape != nil && v.Shape.Size > 0 && !v.External
	case *cir.Reg:
		x, ok := k[v.Index]
		return x, ok
	}
	return known{}, false
}

// step carries what is kept over an instruction.
func (s *deadBranches) step(c pointsto.Copy, in cir.Instr, k kept) {
	for _, r := range cir.Results(in) {
		delete(k, r.Index)
	}
	switch in := in.(type) {
	case *cir.Load:
		if g := s.own(in.Addr, in.Access); g != nil {
			if v, ok := k[g]; ok {
				k[in.Dst.Index] = v
			}
		}
		if g, ok := in.Addr.(*cir.Global); ok && s.key[g] && s.vars[g] != nil && in.Bits == nil {
			k[in.Dst.Index] = known{of: g, n: 1} // the key in it
		}
	case *cir.Store:
		if g := s.own(in.Addr, in.Access); g != nil {
			delete(k, g)
			if v, ok := k.value(in.X); ok {
				k[g] = v
			}
		} else if g, ok := in.Addr.(*cir.Global); ok {
			delete(k, g)
		}
	case *cir.LifeStart:
		for x, v := range k {
			if v.of == cir.Value(in.Local) {
				delete(k, x)
			}
		}
	case *cir.Call:
		s.call(c, in, k)
	case *cir.Compare:
		if v, ok := k.compare(in); ok {
			k[in.Dst.Index] = v
		}
	case *cir.Convert:
		v, ok := k.value(in.X)
		from, to := s.prog.Model.TypeOf(in.X), in.Dst.Type
		switch {
		case !ok:
		case v.of == nil && from.IsInt() && to.IsInt():
			n := cir.IntOf(to, v.n)
			if to == cir.Bool && v.n != 0 {
				n = cir.IntOf(to, 1)
			}
			if n, ok := n.Int64(); ok {
				k[in.Dst.Index] = known{n: n}
			}
		case from.IsPointer() && to.IsPointer():
			k[in.Dst.Index] = v
		}
	}
}

// own returns the variable of a thread's own that is accessed as a whole, nil if it is none.
func (s *deadBranches) own(addr cir.Value, a cir.Access) *cir.Global {
	g, ok := addr.(*cir.Global)
	if !ok || !g.ThreadLocal || s.vars[g] == nil || a.Bits != nil || a.Volatile || a.Type.IsFloat() || s.prog.Model.SizeOf(a.Type) != g.Shape.Size {
		return nil
	}
	return g
}

// call carries what is kept over a call.
func (s *deadBranches) call(c pointsto.Copy, in *cir.Call, k kept) {
	f, direct := in.Callee.(*cir.Func)
	name := ""
	if direct && f.Library {
		name = f.Source
	}
	switch name {
	case "pthread_getspecific":
		if key, ok := k.value(in.Args[0].X); ok && key.n == 1 && key.of != nil && in.Dst != nil {
			if v, ok := k[ownOf{key.of.(*cir.Global)}]; ok {
				k[in.Dst.Index] = v
			}
		}
		return
	case "pthread_setspecific":
		key, ok := k.value(in.Args[0].X)
		v, is := k.value(in.Args[1].X)
		k.forgetKeys()
		if g, isKey := key.of.(*cir.Global); ok && is && isKey && key.n == 1 {
			k[ownOf{g}] = v
		}
		return
	}
	sets := len(s.pts.Called(c, in)) == 0 && !direct
	for _, to := range s.pts.Called(c, in) {
		sets = sets || s.sets[to]
	}
	outside := false
	for _, f := range s.pts.Callees(c.Func, c.Ctx, in) {
		how := in.Unknown
		if how == cir.Known {
			how = f.Unknown
		}
		outside = outside || len(f.Blocks) == 0 && how != cir.Pure && how != cir.Contract
	}
	if sets || outside {
		k.forgetKeys()
	}
	for x, v := range k {
		g, ok := x.(*cir.Global)
		key, is := v.of.(*cir.Global)
		if ok && (outside || s.pts.MayWrite(c, in, s.vars[g])) || is && v.n == 1 && s.pts.MayWrite(c, in, s.vars[key]) {
			delete(k, x)
		}
	}
}

func (k kept) forgetKeys() {
	for x := range k {
		if _, ok := x.(ownOf); ok {
			delete(k, x)
		}
	}
}

func isLiteral(v cir.Value) bool {
	g, ok := v.(*cir.Global)
	return ok && g.Literal
}

// compare returns the result of a comparison, if it is known. Addresses of variables are told apart, and none is null.
func (k kept) compare(in *cir.Compare) (known, bool) {
	x, ok := k.value(in.X)
	y, both := k.value(in.Y)
	if !ok || !both || x.of != nil && x.n != 0 || y.of != nil && y.n != 0 {
		return known{}, false
	}
	is := false
	switch {
	case in.Pred == cir.Eq:
		is = x == y
	case in.Pred == cir.Ne:
		is = x != y
	default:
		return known{}, false
	}
	if (x.of == nil) != (y.of == nil) && x.n+y.n != 0 { // an address and a number
		return known{}, false
	}
	if isLiteral(x.of) && isLiteral(y.of) && x.of != y.of { // which may share memory
		return known{}, false
	}
	if is {
		return known{n: 1}, true
	}
	return known{}, true
}
