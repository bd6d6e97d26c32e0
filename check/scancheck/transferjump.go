package scancheck

import "comus/cir"

// jump is the end of a block.
func (w *transferWalk) jump(s *hstate, t cir.Term, p *hpick) {
	f := s.frame()
	type way struct {
		to   *cir.Block
		args []cir.Value
	}
	var ways []way
	switch t := t.(type) {
	case *cir.Return:
		v, shape := hval{}, w.ls.copies[f.copy].Func.Result.Shape
		if t.X != nil && shape == nil {
			v = w.whole(s, t.X, p)
		} else if t.X != nil {
			w.several(s, t.X, shape.Size, false, t, p)
		}
		w.loseLocals(s, w.ls.copies[f.copy].Func)
		w.loseOwn(s, f.to)
		if s.calls = s.calls[:len(s.calls)-1]; len(s.calls) > 0 {
			s.frame().assign(f.result, v)
		} else {
			w.ends(s, t)
		}
		return
	case *cir.Branch:
		c := w.value(s, t.Cond, p)
		if c.kind == hIndex {
			c = hval{}
		}
		if c.kind != hNumber || c.id != 0 {
			ways = append(ways, way{t.Then, t.ThenArgs})
		}
		if c.kind == hAny || c.kind == hNumber && c.id == 0 {
			ways = append(ways, way{t.Else, t.ElseArgs})
		}
	case *cir.Switch:
		c, found := w.value(s, t.X, p), false
		for _, k := range t.Cases {
			hit := c.kind == hNumber && k.Has(int64(c.id))
			if found = found || hit; hit || c.kind != hNumber {
				ways = append(ways, way{k.To, nil})
			}
		}
		if !found {
			ways = append(ways, way{t.Default, nil})
		}
	case *cir.IndirectJump:
		w.no("a computed goto", t)
	default:
		cir.Succs(t, func(to *cir.Block, args []cir.Value) { ways = append(ways, way{to, args}) })
	}
	k := p.pick(len(ways))
	if p.none || w.why != "" {
		return
	}
	var vs []hval
	for _, a := range ways[k].args {
		vs = append(vs, w.whole(s, a, p))
	}
	kept := w.ls.locks.crosses(w.ls.copies[f.copy].Func)
	for r := range f.regs {
		if !kept[r] {
			delete(f.regs, r)
		}
	}
	for i, r := range ways[k].to.Params {
		f.assign(r, vs[i])
	}
	f.block, f.next = ways[k].to.Index, 0
}
