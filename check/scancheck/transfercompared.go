package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// isLess compares what has two marks: numbers of one type, or addresses that are as far behind the beginnings of elements. It is remembered.
func (w *transferWalk) isLess(s *hstate, a, b int, p *hpick) bool {
	back := false // b is not less than a
	for _, l := range s.kinds.lesses {
		switch {
		case l.a == a && l.b == b:
			return l.is
		case l.a == b && l.b == a && l.is:
			return false
		case l.a == b && l.b == a:
			back = true
		}
	}
	is := a != b && p.pick(2) == 1
	if a != b && !is && back { // so they are equal
		w.fuse(s, a, b, p)
	} else if a != b {
		s.kinds.lesses = append(s.kinds.lesses, lesser{a, b, is})
	}
	return is
}

// ordered compares addresses in elements, or numbers with marks, by an order.
func (w *transferWalk) ordered(s *hstate, pred cir.Pred, a, b hval, p *hpick) hval {
	if a.off != b.off {
		return hval{}
	}
	switch pred {
	case cir.Lt:
		return isTrue(w.isLess(s, a.id, b.id, p))
	case cir.Gt:
		return isTrue(w.isLess(s, b.id, a.id, p))
	case cir.Le:
		return isTrue(!w.isLess(s, b.id, a.id, p))
	case cir.Ge:
		return isTrue(!w.isLess(s, a.id, b.id, p))
	}
	return hval{}
}

// comparedSpots compares addresses in elements, or numbers with marks.
func (w *transferWalk) comparedSpots(s *hstate, a, b hval, not bool, p *hpick) hval {
	if a.kind == hSame && a.off != b.off || a.kind == hSpot && a.off != b.off && a.id != b.id {
		return hval{}
	}
	same := a == b
	if !same && a.id != b.id {
		if same = p.pick(2) == 1; same {
			w.fuse(s, a.id, b.id, p)
		}
	}
	return isTrue(same != not)
}

// hasKindIn reports whether containers of a kind are elements of an array in an object.
func (x *transfer) hasKindIn(o *pointsto.Object) bool {
	return slices.ContainsFunc(x.Containers, func(c certificate.Container) bool { return c.Many && c.Lock.Object == o.ID })
}

// onlyCells reports whether all accesses of a group are loads and stores that go to cells of the kind, if they go to the array of its elements. Those that were followed are made with the lock of
// the element, or while there is one thread only.
func (x *transfer) onlyCells(g *group) bool {
	w := x.walk
	for _, a := range g.Accesses {
		if a.Copy < 0 || a.Copy >= len(w.ls.copies) {
			return false
		}
		f := w.ls.copies[a.Copy].Func
		if f.Library || a.Block < 0 || a.Block >= len(f.Blocks) || a.Instr < 0 || a.Instr >= len(f.Blocks[a.Block].Instrs) {
			return false
		}
		var addr cir.Value
		size := int64(-1)
		switch in := f.Blocks[a.Block].Instrs[a.Instr].(type) {
		case *cir.Load:
			addr, size = in.Addr, w.ls.prog.Model.SizeOf(in.Type)
		case *cir.Store:
			addr, size = in.Addr, w.ls.prog.Model.SizeOf(in.Type)
		}
		if size != w.word {
			return false
		}
		at := w.at(a.Copy, addr)
		for _, l := range at {
			if l.Obj == w.kind.obj && !slices.ContainsFunc(w.cells, func(c containerCell) bool { return w.ofKind(c.box) && c.at == l }) {
				return false
			}
		}
		if len(at) == 0 {
			return false
		}
	}
	return true
}
