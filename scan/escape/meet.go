package escape

import (
	"comus/cir"
	"comus/scan/valuenum"
)

// What a local holds where control flows meet has a name of its own if it is not the same on all edges. It is owned if on each edge it is null, or an object that is owned and
// has no other name: so it is where an object has been handed on and the local set to null on one way, and the function has kept it on the other one.

// prepareMeets notes what locals hold where control flows meet, and which objects have names in registers of other blocks.
func (r *Result) prepareMeets(f *function) {
	for _, ms := range f.fn.Meets {
		for _, m := range ms {
			if l, ok := m.Sym.What.(*cir.Local); ok && m.Sym.Kind == valuenum.Phi {
				if f.stored[l] == nil {
					f.stored[l] = map[*valuenum.Sym]bool{}
				}
				f.stored[l][m.Sym] = true
			}
		}
	}
	home := map[*cir.Reg]*cir.Block{}
	for _, b := range f.copy.Func.Blocks {
		for _, p := range b.Params {
			home[p] = b
		}
		for _, in := range b.Instrs {
			for _, d := range cir.Results(in) {
				home[d] = b
			}
		}
	}
	for _, b := range f.copy.Func.Blocks {
		use := func(v cir.Value) {
			if reg, ok := v.(*cir.Reg); ok && home[reg] != b {
				f.fn.Value(reg).Each(func(y *valuenum.Sym) { f.crosses[y] = true })
			}
		}
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
}

// meet notes what becomes of owned objects on an edge to a block.
func (r *Result) meet(f *function, s *state, to *cir.Block, edge int) {
	var over []*valuenum.Sym
	for _, m := range f.fn.Meets[to] {
		if m.Sym.Kind == valuenum.Phi && f.takesOver(s, to, edge, m) {
			over = append(over, m.Sym)
		}
	}
	for _, m := range f.fn.Meets[to] {
		if m.Sym.Kind == valuenum.Phi {
			r.lose(f, s, m.In[edge])
			r.lose(f, s, valuenum.Value{Base: m.Sym})
		}
	}
	for _, y := range over {
		s.set(y, false)
	}
}

// takesOver reports whether what a local holds is owned on an edge, and has no other name.
func (f *function) takesOver(s *state, to *cir.Block, edge int, m valuenum.Meet) bool {
	v := m.In[edge]
	switch {
	case v.Index != nil || v.Off != 0:
		return false
	case v.Base == nil: // null
		return true
	case v.Base.Kind != valuenum.Reg && v.Base.Kind != valuenum.Phi || f.crosses[v.Base]:
		return false
	}
	if selfish, is := s.owned[v.Base]; !is || selfish {
		return false
	}
	for _, other := range f.fn.Meets[to] {
		if other.Sym != m.Sym && other.In[edge].Base == v.Base {
			return false
		}
	}
	for _, h := range f.fn.Begin[to] {
		if h.Value.Base == v.Base && v.Base != m.Sym {
			return false
		}
	}
	return true
}
