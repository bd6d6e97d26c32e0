package scancheck

import (
	"slices"

	"comus/cir"
)

// If a claim says so (Ends), nothing is followed once the first thread is alone again but where control may be, so that it is known which accesses are made only then, or before. The thread may access everything, as it
// is alone. It is verified that it stays so: nobody finds what it leaves.

// atEnd begins that.
func (w *transferWalk) atEnd(s *hstate) {
	s.over = true
	s.objs = []hobj{{of: notMine, link: hval{kind: hWild}}}
	s.open, s.locked, s.lists = [maxBoxes]bool{}, [maxBoxes]bool{}, false
	s.kinds = kinds{time: s.kinds.time}
	s.change(func(hval) hval { return hval{} }, hval{kind: hWild})
}

// overValue returns what an operand is then: numbers are known, but nothing else.
func (w *transferWalk) overValue(s *hstate, v cir.Value) hval {
	if r, ok := v.(*cir.Reg); ok {
		return s.frame().regs[r.Index]
	}
	if c, ok := v.(cir.Int); ok {
		if n, ok := c.Int64(); ok && -500 < n && n < 500 {
			return hval{hNumber, int(n), 0}
		}
	}
	return hval{}
}

// overInstr is an instruction then.
func (w *transferWalk) overInstr(s *hstate, in cir.Instr, p *hpick) {
	f := s.frame()
	known := w.ls.locks.followed(w.ls.copies[f.copy].Func)
	for _, r := range cir.Results(in) {
		f.assign(r, hval{})
	}
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && known[l] {
			f.assign(in.Dst, f.vars[l.Index])
		}
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && known[l] {
			if delete(f.vars, l.Index); w.overValue(s, in.X).kind != hAny {
				f.vars[l.Index] = w.overValue(s, in.X)
			}
		}
	case *cir.LifeStart:
		delete(f.vars, in.Local.Index)
	case *cir.Call:
		x := w.ls.callees(f.copy, in)
		if len(x.to) > 0 {
			m := x.to[p.pick(len(x.to))]
			if to := w.ls.copies[m]; !to.Func.Library && w.acts[m] {
				if slices.ContainsFunc(s.calls, func(g *hframe) bool { return g.copy == m }) {
					w.no("a function that matters calls itself", in)
					return
				}
				w.entered[m] = true
				s.calls = append(s.calls, &hframe{copy: m, vars: map[int]hval{}, regs: map[int]hval{}, result: in.Dst})
				return
			}
		}
		p.none = p.none || !in.Returns
	}
}
