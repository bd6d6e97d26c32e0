package scancheck

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Arrays of addresses in containers. Of each, some elements are in use: all, or the first ones, as many as a number tells that is in memory under the same lock.
// When the lock is free, each object is in one element in use at most, and the elements in use own what they lead to. What an element holds that is not in use is stale:
// it may be any address, also the followed object's, and gives nothing away but that. So taking out is to make the number smaller, and putting in to make it larger
// behind a store.
//
// Elements are told by indexes: constants, the number of elements in use plus or minus a few, and unknown values plus or minus a few. No two elements in the list of a row are one.

// containerRow is an array in a container.
type containerRow struct {
	at    pointsto.Location
	end   int64
	box   int
	count int // the number that tells how many elements are in use; -1: all are
	// Of a ring, the numbers that tell where the elements in use begin, and where they end.
	ring, heap bool
	head, tail int
	length     int64
}

// containerNumber is an integer in memory.
type containerNumber struct {
	at   pointsto.Location
	box  int
	kind cir.Type
}

const (
	maxRows     = 3
	maxElements = 7
	// plenty elements in use are as good as more.
	plenty = 4
)

// What an index is told by: a constant, the number of elements in use of a row, or one of the values from firstValue on.
const (
	byNothing  = 0
	byCount    = 1 // of a ring, the tail
	byHead     = byCount + maxRows
	byAmount   = byHead + maxRows // how many elements of a ring are in use
	firstValue = byAmount + maxRows
)

// helem is an element with what it holds: a hNumber that is 0, the followed object, hElse, or hAny for what nobody knows.
type helem struct {
	by    int
	off   int64
	used  bool
	holds hval
}

// hrow is what is known of an array while its container is open. hidden: so many elements in use that are not listed lead to the followed object.
// The number of elements in use is from lo to hi; plenty for hi stands for any more. lost: nobody knows it.
type hrow struct {
	elems  []helem
	hidden int
	lo, hi int64
	lost   bool
	room   bool // not all elements are in use
}

func cloneRows(rows []hrow) (list []hrow) {
	for _, r := range rows {
		r.elems = slices.Clone(r.elems)
		list = append(list, r)
	}
	return list
}

// readRows reads the arrays and numbers of a container.
func (w *transferWalk) readRows(b int, c *certificate.Container, single func(certificate.At, bool) pointsto.Location) {
	first := len(w.nums)
	for _, n := range c.Numbers {
		t := cir.Type{Kind: cir.IntKind, Bits: n.Bits, Signed: n.Signed}
		if w.nums = append(w.nums, containerNumber{single(n.At, false), b, t}); n.Bits != 32 && n.Bits != 64 {
			w.no("a number is too small, or too large", nil)
		}
	}
	for _, y := range c.Arrays {
		r := containerRow{at: single(y.At, true), box: b, count: -1}
		if y.Count >= len(c.Numbers) || len(w.rows) == maxRows || w.link >= 0 {
			w.no("an array has no number, or there are too many, or links", nil)
			return
		}
		if y.Count >= 0 {
			r.count = first + y.Count
		}
		if y.Ring != nil {
			inside := func(k int) bool { return k >= 0 && k < len(c.Numbers) }
			if r.ring, r.head, r.tail = true, first+y.Ring.Head, first+y.Ring.Tail; y.Count < 0 || !inside(y.Ring.Head) || !inside(y.Ring.Tail) || r.head == r.tail || r.count == r.head || r.count == r.tail {
				w.no("a ring has no numbers", nil)
				return
			}
		}
		end, ok := int64(1)<<40, false
		if r.at.Obj != nil && r.at.Obj.Site != nil && r.at.Obj.Shape() == nil {
			r.heap, ok = true, w.isHeapRow(r.at) && !r.ring
		} else {
			end, ok = w.endOf(r.at)
			ok = ok && end-r.at.Off <= 1<<32
		}
		if r.end = end; !ok {
			w.no("there is no array of addresses", nil)
		}
		if t := cir.U64; r.heap && r.count >= 0 && ok {
			if t = w.nums[r.count].kind; !t.Signed && t.Bits < 64 {
				w.no("a number may wrap around", nil)
			}
		}
		if slices.ContainsFunc(w.rows, func(x containerRow) bool {
			return slices.ContainsFunc(x.numbers(), func(n int) bool { return slices.Contains(r.numbers(), n) })
		}) {
			w.no("two arrays have one number", nil)
		}
		r.length = (r.end - r.at.Off) / w.word
		w.rows = append(w.rows, r)
	}
}

// endOf returns where the array of addresses ends whose elements a location is, in an object of which it is known how C divides it up.
func (w *transferWalk) endOf(l pointsto.Location) (int64, bool) {
	if l.Obj == nil {
		return 0, false
	}
	lo, hi, ok := l.Element()
	if !ok || lo != l.Off || hi != lo+w.word {
		return 0, false
	}
	s, rest := l.Obj.Shape(), l.Off
	for s != nil && s.Elem == nil && !s.Union {
		var in *cir.Shape
		for _, f := range s.Fields {
			if f.Bits == nil && f.Offset <= rest && rest < f.Offset+f.Shape.Size {
				in, rest = f.Shape, rest-f.Offset
				break
			}
		}
		s = in
	}
	if s == nil || s.Union || rest != 0 || s.Elem.Size != w.word || s.Len < 1 {
		return 0, false
	}
	return l.Off + s.Len*w.word, true
}

// containerPart is the bytes of a cell, an array or a number, up to end.
type containerPart struct {
	at  pointsto.Location
	end int64
}

// findParts finds these, no two of which overlap.
func (w *transferWalk) findParts() {
	for _, c := range w.cells {
		if !w.ofKind(c.box) || c.box == w.kind.box {
			w.parts = append(w.parts, containerPart{c.at, c.at.Off + w.word})
		}
	}
	for _, r := range w.rows {
		w.parts = append(w.parts, containerPart{r.at, r.end})
	}
	for _, n := range w.nums {
		w.parts = append(w.parts, containerPart{n.at, n.at.Off + int64(n.kind.Bits/8)})
	}
	for i, a := range w.parts {
		for _, b := range w.parts[:i] {
			if a.at.Obj == b.at.Obj && a.at.Off < b.end && b.at.Off < a.end {
				w.no("two cells overlap", nil)
			}
		}
	}
}

// listed reports whether an element leads to the followed object.
func (s *hstate) listed() bool {
	return slices.ContainsFunc(s.rows, func(r hrow) bool {
		return r.hidden > 0 || slices.ContainsFunc(r.elems, func(e helem) bool { return e.holds.kind == hObject })
	})
}

// emptyAtFirst reports whether a row has no elements in use, or null in all, when the program begins.
func (w *transferWalk) emptyAtFirst(r containerRow) bool {
	zero := func(l pointsto.Location, n int64) bool { return l.Obj.Global != nil && l.Obj.Global.ZeroAt(l.Off, n) }
	if r.count < 0 {
		return zero(r.at, r.end-r.at.Off)
	}
	return !slices.ContainsFunc(r.numbers(), func(k int) bool { return !zero(w.nums[k].at, int64(w.nums[k].kind.Bits/8)) })
}

// openRows begins with the arrays of a container in some state.
func (w *transferWalk) openRows(s *hstate, b int, e certificate.ContainerState, begins bool) {
	k := 0
	for i, r := range w.rows {
		if r.box != b {
			continue
		}
		s.rows[i] = hrow{hi: min(plenty, r.length), lost: begins && !w.emptyAtFirst(r)}
		if begins && r.count >= 0 {
			s.rows[i].hi = 0
		}
		if e.Slots[k] {
			s.rows[i].hidden = 1
		}
		if k++; !s.rows[i].lost {
			w.tellNumbers(s, i)
		}
	}
}

// closeRows verifies that the arrays of a container are as they have to be when its lock is free, and returns which lead to the followed object.
func (w *transferWalk) closeRows(s *hstate, b int, at cir.Located) (leads []bool) {
	for i, r := range w.rows {
		if r.box != b {
			continue
		}
		x := &s.rows[i]
		if x.lost || r.count >= 0 && x.lo < 0 || !w.agreed(s, i) {
			w.no("it is not known how many elements are in use", at)
		}
		n := x.hidden
		for _, e := range x.elems {
			switch {
			case !e.used:
			case e.holds.kind == hAny:
				w.no("an element in use holds what is not known", at)
			case e.holds.kind == hObject:
				n++
			}
		}
		if n > 1 {
			w.no("an object is in two elements", at)
		}
		leads = append(leads, n > 0)
		w.forgetRow(s, i) // by its numbers, other rows may be told
		*x = hrow{}
	}
	for i, n := range w.nums {
		if n.box == b {
			s.nums[i] = hval{}
		}
	}
	if len(leads) == 0 {
		return nil
	}
	s.retell(func(hval) hval { return hval{} }, false)
	return leads
}

// retell replaces the indexes and addresses of elements that registers and locals hold, and numbers in memory, too, if all is set.
func (s *hstate) retell(f func(hval) hval, all bool) {
	tells := func(v hval) bool { return v.kind == hIndex || v.kind == hElement }
	for _, fr := range s.calls {
		for _, m := range []map[int]hval{fr.vars, fr.regs} {
			for k, v := range m {
				if tells(v) {
					if m[k] = f(v); m[k].kind == hAny {
						delete(m, k)
					}
				}
			}
		}
	}
	for i, v := range s.nums {
		if all && tells(v) {
			s.nums[i] = f(v)
		}
	}
}

// substitute tells everything that is told by from by something else.
func (s *hstate) substitute(from, to int, plus int64) {
	s.retell(func(v hval) hval {
		by, row := v.id, 0
		if v.kind == hElement {
			by, row = v.id/maxRows, v.id%maxRows
		}
		switch {
		case by != from:
			return v
		case v.kind == hElement:
			return hval{hElement, to*maxRows + row, v.off + plus}
		case to == byNothing:
			return hval{hNumber, int(v.off + plus), 0}
		}
		return hval{hIndex, to, v.off + plus}
	}, true)
	for i := range s.rows {
		for k := range s.rows[i].elems {
			if e := &s.rows[i].elems[k]; e.by == from {
				e.by, e.off = to, e.off+plus
			}
		}
	}
}

// unknownIndex returns an index that nothing is known of.
func (s *hstate) unknownIndex() int {
	taken := map[int]bool{}
	s.retell(func(v hval) hval {
		if v.kind == hElement {
			taken[v.id/maxRows] = true
		} else {
			taken[v.id] = true
		}
		return v
	}, true)
	for _, r := range s.rows {
		for _, e := range r.elems {
			taken[e.by] = true
		}
	}
	for i := firstValue; ; i++ {
		if !taken[i] {
			return i
		}
	}
}

// asIndex gives an integer of which nothing is known a name, while there are arrays that it may be an index of.
func (w *transferWalk) asIndex(s *hstate, v hval, t cir.Type) hval {
	if v.kind == hAny && t.Kind == cir.IntKind && t.Bits >= 32 && slices.ContainsFunc(w.rows, func(r containerRow) bool { return s.open[r.box] }) {
		return hval{hIndex, s.unknownIndex(), 0}
	}
	return v
}

// elem returns an element of a row, as listed: it is one of those that are, or another one.
func (w *transferWalk) elem(s *hstate, row, by int, off int64, p *hpick) *helem {
	r := &s.rows[row]
	for i := range r.elems {
		if e := &r.elems[i]; e.by == by && e.off == off {
			return e
		}
	}
	used := w.inUse(s, row, by, off, p)
	for i := range r.elems {
		if e := r.elems[i]; e.used == used && w.isSame(s, row, e, by, off, p) {
			w.same(s, row, e, by, off, p)
			return &s.rows[row].elems[i]
		}
	}
	e := helem{by, off, used, hval{}}
	if used {
		switch k := p.pick(2 + min(r.hidden, 1)); k {
		case 0:
			e.holds = hval{kind: hNumber}
		case 1:
			e.holds = hval{kind: hElse}
		default:
			e.holds = hval{hObject, 0, noOff}
			r.hidden--
		}
	}
	if r.elems = append(r.elems, e); w.roundTheRing(s) {
		w.no("an element of a ring is told in two ways", nil)
	}
	if len(r.elems) > maxElements {
		w.no("there are too many elements at a time", nil)
	}
	return &r.elems[len(r.elems)-1]
}

// inUse decides whether an element is in use.
func (w *transferWalk) inUse(s *hstate, row, by int, off int64, p *hpick) bool {
	r := &s.rows[row]
	if r.lost {
		return false
	}
	if w.rows[row].count < 0 {
		return true
	}
	switch {
	case w.rows[row].ring && (by == byCount+row || by == byHead+row):
		return w.inRing(s, row, by, off, p)
	case by == byCount+row:
		return off < 0
	case by == byNothing && !w.rows[row].ring:
		if off < r.lo {
			return true
		}
		if r.hi < plenty && off >= r.hi {
			return false
		}
		if p.pick(2) == 0 {
			if off < plenty {
				r.hi = off
			}
			return false
		}
		r.lo = min(off+1, plenty)
		return true
	}
	return p.pick(2) == 0
}

// isSame decides whether a listed element is the one with some index.
func (w *transferWalk) isSame(s *hstate, row int, e helem, by int, off int64, p *hpick) bool {
	if e.by == by {
		return false
	}
	n, known := w.countFrom(row, e, by, off)
	if length := w.rows[row].length; known && w.rows[row].ring { // from 0 to that, one, or none
		for n < 0 {
			n += length
		}
		for n > length {
			n -= length
		}
		known = n > 0 && n < length
	}
	if !known {
		return p.pick(2) == 1
	}
	r := &s.rows[row]
	if n < r.lo || n > r.hi && r.hi < plenty {
		return false
	}
	if n < plenty && r.lo == r.hi {
		return true
	}
	if p.pick(2) == 1 {
		r.lo, r.hi = min(n, plenty), min(n, plenty)
		return true
	}
	if n == r.lo && n < plenty {
		r.lo++
	}
	return false
}

// countFrom returns how many elements are in use if two are one of which one is told from the first element in use, and the other one from the end of those.
func (w *transferWalk) countFrom(row int, e helem, by int, off int64) (n int64, known bool) {
	switch {
	case e.by == w.origin(row) && by == byCount+row:
		return e.off - off, true
	case by == w.origin(row) && e.by == byCount+row:
		return off - e.off, true
	}
	return 0, false
}

// same goes on with an index being that of a listed element.
func (w *transferWalk) same(s *hstate, row int, e helem, by int, off int64, p *hpick) {
	_, known := w.countFrom(row, e, by, off)
	switch {
	case known: // it is told by the number from now on, as that may change
		for i := range s.rows[row].elems {
			if x := &s.rows[row].elems[i]; x.by == e.by && x.off == e.off && by == byCount+row {
				x.by, x.off = by, off
			}
		}
	case e.by >= firstValue:
		s.substitute(e.by, by, off-e.off)
	case by >= firstValue:
		s.substitute(by, e.by, e.off-off)
	}
	for i, r := range s.rows {
		for k, e := range r.elems {
			p.none = p.none || e.by == byNothing && e.off < 0 // nothing is accessed before the array
			p.none = p.none || w.rows[i].count >= 0 && !w.rows[i].ring && e.by == byCount+i && e.used != (e.off < 0)
			for _, f := range r.elems[:k] {
				p.none = p.none || e.by == f.by && e.off == f.off
			}
		}
	}
	if !p.none && w.roundTheRing(s) {
		w.no("an element of a ring is told in two ways", nil)
	}
}

// settleRows unlists elements that nothing tells any more, and numbers what indexes are told by in order.
func (w *transferWalk) settleRows(s *hstate) {
	type span struct{ lo, hi int64 }
	spans := map[int]span{}
	var order []int
	note := func(by int, off int64) {
		if by < firstValue {
			return
		}
		x, ok := spans[by]
		if !ok {
			order = append(order, by)
			x = span{off, off}
		}
		spans[by] = span{min(x.lo, off), max(x.hi, off)}
	}
	tell := func(v hval) {
		if v.kind == hIndex {
			note(v.id, v.off)
		} else if v.kind == hElement {
			note(v.id/maxRows, v.off)
		}
	}
	for _, f := range s.calls {
		for _, m := range []map[int]hval{f.vars, f.regs} {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				tell(m[k])
			}
		}
	}
	for _, v := range s.nums {
		tell(v)
	}
	for i := range s.rows {
		r := &s.rows[i]
		kept := []helem{}
		for _, e := range r.elems {
			x, told := spans[e.by]
			told = told && x.lo-2 < e.off && e.off < x.hi+2
			near := e.by == byNothing && e.off >= 0 && e.off < 2 || e.by > byNothing && e.by < firstValue && -3 < e.off && e.off < 2
			switch {
			case told || near || e.used && e.holds.kind == hAny:
				kept = append(kept, e)
			case e.used && e.holds.kind == hObject:
				r.hidden++
			}
		}
		r.elems = kept
	}
	for _, r := range s.rows {
		for _, e := range r.elems {
			note(e.by, e.off)
		}
	}
	s.retell(func(v hval) hval {
		if by := v.id; (v.kind == hIndex && by < firstValue || v.kind == hElement && by/maxRows < firstValue) && (v.off < -3 || v.off > 3) {
			return hval{}
		}
		return v
	}, false)
	const aside = 1 << 20
	for k, by := range order {
		if x := spans[by]; x.hi-x.lo > 3 {
			s.retell(func(v hval) hval {
				if v.kind == hIndex && v.id == by || v.kind == hElement && v.id/maxRows == by {
					return hval{}
				}
				return v
			}, true)
		}
		s.substitute(by, aside+k, -spans[by].lo)
	}
	for k := range order {
		s.substitute(aside+k, firstValue+k, 0)
	}
	for i := range s.rows {
		slices.SortFunc(s.rows[i].elems, func(e, f helem) int { return cmp.Or(cmp.Compare(e.by, f.by), cmp.Compare(e.off, f.off)) })
	}
}
