package scancheck

import (
	"slices"

	"comus/cir"
)

// computed returns what an instruction computes.
func (w *transferWalk) computed(s *hstate, in cir.Instr, p *hpick) hval {
	switch in := in.(type) {
	case *cir.Binary:
		return w.indexPlus(s, in, p)
	case *cir.Compare:
		return w.compared(s, in, p)
	case *cir.Select:
		c := w.value(s, in.Cond, p)
		if c.kind == hIndex {
			c = hval{}
		}
		if c.kind == hAny && p.pick(2) == 0 || c.kind == hNumber && c.id == 0 {
			return w.whole(s, in.Y, p)
		}
		return w.whole(s, in.X, p)
	case *cir.Convert:
		return w.converted(s, in, p)
	case *cir.Offset:
		if row := w.row(w.at(s.frame().copy, in.Dst)); row >= 0 {
			return w.addressOf(s, row, in, p)
		}
		if off, ok := w.within(w.at(s.frame().copy, in.Dst)); ok {
			return w.spotOf(s, in, off, p)
		}
		v := w.value(s, in.P, p)
		by := in.Disp
		if in.Index != nil {
			c, constant := in.Index.(cir.Int)
			if !constant {
				by = noOff
			} else {
				by += int64(c.Lo) * in.Scale
			}
		}
		if v.kind == hElse || v.kind == hCell {
			// A member of a variable may be a cell: a place of which there is one.
			if k := w.cell(w.at(s.frame().copy, in.Dst)); k >= 0 && by != noOff && by != 0 {
				return hval{kind: hCell, id: k}
			}
		}
		if v.kind == hElse || v.kind == hCell && by == 0 || v.kind == hNumber && v.id == 0 {
			return v // nothing is behind null
		}
		if v.kind == hObject || v.kind == hLatest {
			if v.off != noOff {
				if v.off += by; by == noOff {
					v.off = noOff
				}
			}
			return v
		}
	}
	return hval{}
}

// compared returns what a comparison gives.
func (w *transferWalk) compared(s *hstate, in *cir.Compare, p *hpick) hval {
	if a, b := w.whole(s, in.X, p), w.whole(s, in.Y, p); a.kind == b.kind && (a.kind == hSame || a.kind == hSpot) {
		if in.Pred != cir.Eq && in.Pred != cir.Ne {
			return w.ordered(s, in.Pred, a, b, p)
		}
		return w.comparedSpots(s, a, b, in.Pred == cir.Ne, p)
	}
	if a, b := w.value(s, in.X, p), w.value(s, in.Y, p); a.kind == hIndex || b.kind == hIndex {
		return w.indexCompared(s, in.Pred, a, b, p)
	}
	if v, known := w.comparedNumbers(s, in.Pred, w.value(s, in.X, p), w.value(s, in.Y, p)); known {
		return v
	}
	if in.Pred == cir.Eq || in.Pred == cir.Ne {
		a, b := w.value(s, in.X, p), w.value(s, in.Y, p)
		gone := func(v hval) bool { return v.kind == hObject && s.objs[v.id].of == notMine }
		if (gone(a) || gone(b)) && a.kind != hNumber && b.kind != hNumber && !(a.kind == b.kind && a.id == b.id) {
			return hval{} // the address of an object that was freed may be that of a new one
		}
		return w.equal(a, b, in.Pred == cir.Ne)
	}
	return hval{}
}

// converted returns what a conversion gives.
func (w *transferWalk) converted(s *hstate, in *cir.Convert, p *hpick) hval {
	m := w.ls.prog.Model
	v, from, to := w.whole(s, in.X, p), m.TypeOf(in.X), in.Dst.Type
	switch {
	case v.kind == hSame:
		return widened(v, from, to)
	case v.kind == hAny || to.IsFloat() || from.IsFloat():
	case v.kind == hIndex:
		return w.indexConverted(s, v, from, to)
	case to == cir.Bool:
		if v.kind != hNumber || v.id != 0 {
			return hval{hNumber, 1, 0}
		}
		return v
	case w.counts(s, v) && to.IsInt() && to.Bits >= 32:
		return v
	case v.kind == hNumber:
		if 0 <= v.id && v.id < 64 && (to.IsPointer() || to.Bits >= 8) {
			return v
		}
	case m.SizeOf(to) == w.word && m.SizeOf(from) == w.word:
		return v
	}
	return hval{}
}

// ends is the end of a thread. What it left in a container whose lock it holds, who is alone later would find there.
func (w *transferWalk) ends(s *hstate, at cir.Located) {
	if !s.single && slices.Contains(s.locked[:], true) {
		w.no("a thread ends that holds the lock of a container", at)
	}
}

// equal returns whether two values are the same, or, if not is set, whether they are not.
func (w *transferWalk) equal(a, b hval, not bool) hval {
	is := func(yes bool) hval {
		if yes != not {
			return hval{hNumber, 1, 0}
		}
		return hval{kind: hNumber}
	}
	pair := func(k, l hkind) bool {
		if a.kind == l && b.kind == k && k != l {
			a, b = b, a
		}
		return a.kind == k && b.kind == l
	}
	switch {
	case pair(hNumber, hNumber):
		return is(a.id == b.id)
	case pair(hNumber, hObject), pair(hNumber, hCell), pair(hNumber, hElse), pair(hNumber, hSpot):
		if a.id == 0 {
			return is(false)
		}
	case pair(hObject, hObject):
		if a.id != b.id {
			return is(false)
		}
		if a.off != noOff && b.off != noOff {
			return is(a.off == b.off)
		}
	case pair(hCell, hCell):
		return is(a == b)
	case pair(hObject, hCell):
		return is(false)
	}
	return hval{}
}
