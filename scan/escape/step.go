package escape

import (
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// step walks over an instruction.
func (r *Result) step(f *function, in cir.Instr, s *state) {
	value := f.fn.Value
	switch in := in.(type) {
	case *cir.Load:
		r.load(f, in, s)
	case *cir.Store:
		r.store(f, in, s)
	case *cir.Compare, *cir.LifeStart, *cir.LifeEnd, *cir.Assumption:
	case *cir.Fill:
	case *cir.Copy: // of what holds its own address, or of a local that holds others'
		from := value(in.Src)
		if s.owned[from.Base] {
			r.lose(f, s, from)
		}
		if from.Base != nil && from.Base.Kind == valuenum.Local {
			r.loseStored(f, s, from.Base.What.(*cir.Local))
		}
	case *cir.RMW:
		r.lose(f, s, value(in.X))
		r.reads(f, in.Addr, s)
	case *cir.CmpXchg:
		r.lose(f, s, value(in.New))
		r.lose(f, s, value(in.Expected))
		r.reads(f, in.Addr, s)
	case *cir.Call:
		r.call(f, in, s)
	case *cir.Alloca:
		s.set(value(in.Dst).Base, false)
	case *cir.Intrinsic:
		if in.Op == cir.Setjmp { // control may come back with whatever happened since
			s.owned, s.kept = owned{}, false
			r.open(f.copy)
		}
		for _, a := range in.Args {
			r.lose(f, s, value(a))
		}
	default:
		r.passOn(f, in, s)
	}
}

// passOn loses what goes into an instruction and does not come out of it as what it was.
func (r *Result) passOn(f *function, in cir.Instr, s *state) {
	results := cir.Results(in)
	cir.Operands(in, func(v cir.Value) {
		w := f.fn.Value(v)
		if !s.mentions(w) {
			return
		}
		kept := len(results) == 1
		for _, d := range results {
			got := f.fn.Value(d)
			kept = kept && got.Base == w.Base && got.Index == nil
		}
		if !kept {
			r.lose(f, s, w)
		}
	})
}

// load loses what may be read, if it is not clear what is.
func (r *Result) load(f *function, in *cir.Load, s *state) {
	at := f.fn.Value(in.Addr)
	r.reads(f, in.Addr, s)
	if at.Base == nil || at.Base.Kind != valuenum.Local {
		return
	}
	if got := f.fn.Value(in.Dst); got.Base != nil && got.Base.Kind == valuenum.Reg && got.Base.N == int64(in.Dst.Index) {
		r.loseStored(f, s, at.Base.What.(*cir.Local))
	}
}

// reads loses an object that holds its own address, which is read there.
func (r *Result) reads(f *function, addr cir.Value, s *state) {
	if at := f.fn.Value(addr); s.owned[at.Base] && at.Base.Kind != valuenum.Local {
		r.lose(f, s, at)
	}
}

// loseStored loses what was ever stored in a local.
func (r *Result) loseStored(f *function, s *state, l *cir.Local) {
	for y := range f.stored[l] {
		r.lose(f, s, valuenum.Value{Base: y})
	}
}

func (r *Result) store(f *function, in *cir.Store, s *state) {
	x, at := f.fn.Value(in.X), f.fn.Value(in.Addr)
	if !s.mentions(x) {
		return
	}
	own := s.has(at.Base)
	switch {
	case at.Base != nil && at.Base.Kind == valuenum.Local && f.fn.Followed(in.Addr) && x.Index == nil:
		// The value is followed there.
	case own && x.Base == at.Base && x.Index == nil && at.Base.Kind != valuenum.Local:
		if x.Base.Kind == valuenum.Param { // the caller does not know that it holds its own address now
			r.lets(f, int(x.Base.N))
		}
		s.set(x.Base, true)
	default:
		r.lose(f, s, x)
	}
}

// lets notes that callers cannot follow a parameter of a function any more.
func (r *Result) lets(f *function, i int) {
	if !f.lets[i] {
		f.lets[i] = true
		for c := range f.callers {
			r.enqueue(c)
		}
	}
}

// call walks over a call.
func (r *Result) call(f *function, in *cir.Call, s *state) {
	g, direct := in.Callee.(*cir.Func)
	if !direct {
		r.lose(f, s, f.fn.Value(in.Callee))
	}
	for _, a := range in.Args { // who is called may find an object's address in the object
		if v := f.fn.Value(a.X); s.owned[v.Base] {
			r.lose(f, s, v)
		}
	}
	if direct && (g.Library || len(g.Blocks) == 0) {
		returned := in.Dst != nil && f.used[in.Dst] && in.Dst.Type.IsPointer()
		for i, a := range in.Args {
			if returned || a.ByVal != nil || !forgets(in, g, i) {
				r.lose(f, s, f.fn.Value(a.X))
			}
		}
		if in.To != nil {
			r.lose(f, s, f.fn.Value(in.To))
		}
		if allocators[g.Source] && in.Dst != nil {
			s.set(f.fn.Value(in.Dst).Base, false)
		}
		return
	}
	called := r.pts.Called(f.copy, in)
	own := make([]bool, len(in.Args))
	for i, a := range in.Args {
		own[i] = f.owns(s.owned, f.fn.Value(a.X))
	}
	for _, y := range called {
		r.enters(f, in, y, own)
	}
	for i, a := range in.Args {
		if v := f.fn.Value(a.X); s.mentions(v) && r.letsOut(f, in, called, i) {
			r.lose(f, s, v)
		}
	}
	if in.To != nil {
		r.lose(f, s, f.fn.Value(in.To))
	}
	if r.fresh.Alone(in) {
		s.set(f.fn.Value(in.Dst).Base, false)
	}
}

// enters notes which parameters of a function that is called are owned.
func (r *Result) enters(f *function, in *cir.Call, y pointsto.Copy, own []bool) {
	g := r.funcs[y]
	if g == nil {
		return
	}
	g.callers[f] = true
	for i := range y.Func.Params {
		// What is given twice has two names.
		twice := false
		for j := range in.Args {
			twice = twice || i < len(in.Args) && j != i && f.fn.Value(in.Args[j].X).Base == f.fn.Value(in.Args[i].X).Base
		}
		if !g.shared[i] && (i >= len(own) || !own[i] || twice || in.Args[i].ByVal != nil) {
			g.shared[i] = true
			r.enqueue(g) // what it calls with the parameter
		}
	}
}

// letsOut reports whether a call may let an argument's object be known elsewhere.
func (r *Result) letsOut(f *function, in *cir.Call, called []pointsto.Copy, i int) bool {
	if _, direct := in.Callee.(*cir.Func); !direct || len(called) == 0 || in.Args[i].ByVal != nil {
		return true
	}
	for _, y := range called {
		g := r.funcs[y]
		if g == nil || i >= len(y.Func.Params) || g.lets[i] {
			return true
		}
	}
	return false
}
