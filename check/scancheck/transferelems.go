package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// row returns the array that an address is that of an element of, -1 if it is not, or may be another one.
func (w *transferWalk) row(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(w.rows, func(r containerRow) bool { return r.at == at[0] })
}

// number returns the number that an address is the one of in any case, -1 if there is none.
func (w *transferWalk) number(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(w.nums, func(n containerNumber) bool { return n.at == at[0] })
}

// behind returns how many elements behind the first one of an array an address is which is the same whenever that is computed.
func (w *transferWalk) behind(c, row int, v cir.Value, disp int64) (int64, bool) {
	r, at := w.rows[row], w.at(c, v)
	if len(at) != 1 || at[0].Obj != r.at.Obj {
		return 0, false
	}
	switch v.(type) {
	case *cir.Global, *cir.Local:
		disp -= r.at.Off
	default:
		if disp += at[0].Off - r.at.Off; r.heap {
			if !w.isBase(c, v) {
				return 0, false
			}
		} else if !at[0].Exact() {
			return 0, false
		}
	}
	return disp / w.word, disp >= 0 && disp%w.word == 0
}

// addressOf returns the address of an element that is computed.
func (w *transferWalk) addressOf(s *hstate, row int, in *cir.Offset, p *hpick) hval {
	f := s.frame()
	by, off, known := byNothing, int64(0), false
	if reg, ok := in.P.(*cir.Reg); ok {
		if v := f.regs[reg.Index]; v.kind == hElement && v.id%maxRows == row && in.Disp%w.word == 0 {
			by, off, known = v.id/maxRows, v.off+in.Disp/w.word, true
		}
	}
	if !known {
		off, known = w.behind(f.copy, row, in.P, in.Disp)
	}
	if !known || in.Index != nil && in.Scale != w.word {
		return hval{}
	}
	if in.Index != nil {
		i := w.asIndex(s, w.value(s, in.Index, p), w.ls.prog.Model.TypeOf(in.Index))
		if reg, ok := in.Index.(*cir.Reg); ok {
			f.assign(reg, i)
		}
		switch {
		case i.kind == hNumber:
			off += int64(i.id)
		case i.kind == hIndex && by == byNothing:
			by, off = i.id, off+i.off
		default:
			return hval{}
		}
	}
	return hval{hElement, by*maxRows + row, off}
}

// accessed returns the element that an access goes to. It is in the array, so its index is not below 0.
func (w *transferWalk) accessed(s *hstate, row int, addr cir.Value, n int64, in cir.Located, p *hpick) *helem {
	f := s.frame()
	if !s.open[w.rows[row].box] {
		w.no("an array is accessed without its lock", in)
	} else if n != w.word {
		w.no("a part of an element is accessed", in)
	}
	if w.why != "" {
		return nil
	}
	reg, isReg := addr.(*cir.Reg)
	by, off, known := 0, int64(0), false
	if !isReg || w.rows[row].heap && w.isBase(f.copy, addr) {
		off, known = w.behind(f.copy, row, addr, 0)
	} else if v := f.regs[reg.Index]; v.kind == hElement && v.id%maxRows == row {
		by, off, known = v.id/maxRows, v.off, true
	}
	if !known {
		if by, off = s.unknownIndex(), 0; isReg {
			f.assign(reg, hval{hElement, by*maxRows + row, 0})
		}
	}
	if r := &s.rows[row]; by == byCount+row && w.rows[row].count >= 0 && !w.rows[row].ring {
		if r.lo = max(r.lo, min(-off, plenty)); r.hi < r.lo {
			p.none = true
			return nil
		}
	}
	return w.elem(s, row, by, off, p)
}

// readElement is a load of an element; of a stale one nobody knows what it gives.
func (w *transferWalk) readElement(s *hstate, row int, in *cir.Load, p *hpick) hval {
	e := w.accessed(s, row, in.Addr, w.ls.prog.Model.SizeOf(in.Type), in, p)
	if e == nil || p.none || w.why != "" {
		return hval{}
	}
	if e.holds.kind == hAny {
		e.holds = []hval{{kind: hNumber}, {kind: hElse}, {hObject, 0, noOff}}[p.pick(3)]
	}
	return e.holds
}

// writeElement is a store to an element.
func (w *transferWalk) writeElement(s *hstate, row int, in *cir.Store, p *hpick) {
	v := w.decided(w.value(s, in.X, p), p)
	e := w.accessed(s, row, in.Addr, w.ls.prog.Model.SizeOf(in.Type), in, p)
	if e == nil || p.none || w.why != "" {
		return
	}
	switch {
	case v.kind == hObject && v.id == 0:
		v.off = noOff
	case v.kind != hNumber:
		v = hval{kind: hElse}
	}
	e.holds = v
}

// openNumber verifies that a number is accessed as a whole, under its lock.
func (w *transferWalk) openNumber(s *hstate, n int, a cir.Access, in cir.Instr) bool {
	if x := w.nums[n]; a.Type != x.kind || a.Bits != nil || a.Order != cir.Plain {
		w.no("a number is accessed in another way", in)
	} else if !s.open[x.box] {
		w.no("a number is accessed without its lock", in)
	}
	return w.why == ""
}

// rowOf returns the row whose elements in use a number counts, -1 if there is none.
func (w *transferWalk) rowOf(n int) int {
	return slices.IndexFunc(w.rows, func(r containerRow) bool { return slices.Contains(r.numbers(), n) })
}

// readNumber is a load of a number.
func (w *transferWalk) readNumber(s *hstate, n int) hval {
	if w.rowOf(n) < 0 {
		s.nums[n] = w.asIndex(s, s.nums[n], w.nums[n].kind)
	}
	return s.nums[n]
}

// writeNumber is a store to a number.
func (w *transferWalk) writeNumber(s *hstate, n int, v hval, p *hpick) {
	row := w.rowOf(n)
	if row < 0 {
		if s.nums[n] = v; v.kind != hNumber && v.kind != hIndex {
			s.nums[n] = hval{}
		}
		return
	}
	if w.rows[row].ring {
		w.ringNumber(s, row, n, v, p)
		return
	}
	if v.kind == hIndex && v.id == byCount+row && !s.rows[row].lost && -plenty <= v.off && v.off <= plenty {
		w.recount(s, row, v.off, p)
		return
	}
	s.substitute(byCount+row, s.unknownIndex(), 0)
	s.rows[row] = hrow{lost: true}
	if s.nums[n] = (hval{}); v.kind == hNumber && v.id == 0 {
		s.rows[row].lost, s.nums[n] = false, hval{hIndex, byCount + row, 0}
	}
}

// recount lets so many more elements of a row be in use, or fewer. Those that are not any more are looked at before; of those that are now, nobody knows what they hold
// but for what is listed.
func (w *transferWalk) recount(s *hstate, row int, more int64, p *hpick) {
	for off := more; off < 0; off++ {
		if w.elem(s, row, byCount+row, off, p); p.none || w.why != "" {
			return
		}
	}
	r := &s.rows[row]
	if more > 0 {
		r.elems = slices.DeleteFunc(r.elems, func(e helem) bool { return !e.used && e.by != byCount+row })
	}
	for off := range more {
		if !slices.ContainsFunc(r.elems, func(e helem) bool { return e.by == byCount+row && e.off == off }) {
			r.elems = append(r.elems, helem{by: byCount + row, off: off})
		}
	}
	s.substitute(byCount+row, byCount+row, -more)
	w.tellNumbers(s, row)
	for i := range r.elems {
		if e := &r.elems[i]; e.by == byCount+row {
			e.used = e.off < 0
		}
	}
	if r.extend(more); r.lo < -plenty || len(r.elems) > maxElements {
		w.no("a number changes too much", nil)
	}
}

// indexCompared returns the result of a comparison with an index: of the number of elements in use with a constant, if it is not below 0; what that tells is noted.
func (w *transferWalk) indexCompared(s *hstate, pred cir.Pred, a, b hval, p *hpick) hval {
	if b.kind == hIndex && a.kind == hNumber {
		a, b = b, a
		switch pred {
		case cir.Lt:
			pred = cir.Gt
		case cir.Gt:
			pred = cir.Lt
		case cir.Le:
			pred = cir.Ge
		case cir.Ge:
			pred = cir.Le
		}
	}
	row := a.id - byCount
	if w.ringOf(a) >= 0 {
		return hval{} // numbers that are told by the same may differ by the length
	} else if a.id >= byAmount && a.id < firstValue {
		row = a.id - byAmount
	}
	if a.kind != hIndex || b.kind != hNumber || row < 0 || row >= len(w.rows) || s.rows[row].lost {
		return hval{}
	}
	r, k := &s.rows[row], int64(b.id)-a.off
	if r.lo < 0 || r.lo+a.off < 0 {
		return hval{}
	}
	if w.rows[row].ring && k == w.rows[row].length && k >= plenty {
		return w.fullCompared(s, row, pred, p)
	}
	if k < 0 || k >= plenty-1 && r.hi >= plenty {
		return hval{}
	}
	var lo, hi [2]int64 // of the numbers for which the comparison fails, and holds
	var some [2]bool
	for n := r.lo; n <= r.hi; n++ {
		i := 0
		if [...]bool{n == k, n != k, n < k, n <= k, n > k, n >= k}[pred] {
			i = 1
		}
		if !some[i] {
			some[i], lo[i] = true, n
		}
		hi[i] = n
	}
	i := 0
	switch {
	case some[0] && some[1]:
		i = p.pick(2)
	case some[1]:
		i = 1
	case !some[0]:
		p.none = true
		return hval{}
	}
	r.lo, r.hi = lo[i], hi[i]
	return isTrue(i == 1)
}

func isTrue(yes bool) hval {
	if yes {
		return hval{hNumber, 1, 0}
	}
	return hval{kind: hNumber}
}

// indexPlus returns the sum or difference of an index and a constant.
func (w *transferWalk) indexPlus(s *hstate, in *cir.Binary, p *hpick) hval {
	t := in.Dst.Type
	if w.kind != nil {
		if v, known := w.added(s, in, w.value(s, in.X, p), w.value(s, in.Y, p)); known {
			return v
		}
	}
	if in.Op == cir.Rem || in.Op == cir.And {
		return w.modulo(s, in, p)
	}
	if len(w.rows) == 0 || in.Op != cir.Add && in.Op != cir.Sub || !t.IsInt() || t.Bits < 32 || in.Wrap && t.Signed {
		return hval{}
	}
	a, b := w.value(s, in.X, p), w.value(s, in.Y, p)
	if in.Op == cir.Add && a.kind == hNumber {
		a, b = b, a
	}
	by := int64(b.id)
	if in.Op == cir.Sub {
		by = -by
	}
	if a.kind != hIndex || b.kind != hNumber || by < -plenty || by > plenty || a.off+by > 2*plenty || a.off+by < -2*plenty {
		return hval{}
	}
	if a.id >= firstValue && !t.Signed && t.Bits < 64 {
		return hval{} // it may wrap around
	}
	if row := w.ringOf(a); row >= 0 {
		if n := w.rows[row].length; n&(n-1) != 0 && (!t.Signed || a.off+by < 0) {
			return hval{} // it may wrap around, or be negative, and another one modulo the length
		}
	}
	return hval{hIndex, a.id, a.off + by}
}

// indexConverted returns an index as another type.
func (w *transferWalk) indexConverted(s *hstate, v hval, from, to cir.Type) hval {
	if !from.IsInt() || !to.IsInt() || from.Bits < 32 || to.Bits < from.Bits {
		return hval{}
	}
	if plain := from.Bits == 64 || from.Signed && to.Bits > from.Bits; v.id >= firstValue && v.off != 0 && !plain {
		return hval{} // the sign may get another meaning
	}
	if v.id < firstValue && v.off < 0 && !from.Signed && to.Bits > from.Bits && w.ringOf(v) < 0 {
		if row := (v.id - byCount) % maxRows; row >= len(s.rows) || s.rows[row].lo+v.off < 0 {
			return hval{} // it may be below 0, and have wrapped around
		}
	}
	return v
}

// clearsRows is a fill of known bytes with zeros, as far as these are arrays and numbers.
func (w *transferWalk) clearsRows(s *hstate, at pointsto.Location, n int64, in cir.Located, p *hpick) {
	all := extent{at.Off, at.Off + n}
	for i, x := range w.nums {
		end := x.at.Off + int64(x.kind.Bits/8)
		if x.at.Obj != at.Obj || !all.meets(extent{x.at.Off, end}) {
			continue
		}
		if x.at.Off < all.lo || end > all.hi || !s.open[x.box] {
			w.no("a number is cleared in part, or without its lock", in)
			return
		}
		w.writeNumber(s, i, hval{kind: hNumber}, p)
	}
	for i, x := range w.rows {
		if x.at.Obj != at.Obj || !all.meets(extent{x.at.Off, x.end}) {
			continue
		}
		switch r := &s.rows[i]; {
		case x.at.Off < all.lo || x.end > all.hi || !s.open[x.box]:
			w.no("an array is cleared in part, or without its lock", in)
		case x.count >= 0 && r.hi > 0:
			w.no("elements in use are cleared", in)
		default:
			r.elems, r.hidden = nil, 0
		}
	}
}
