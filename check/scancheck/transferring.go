package scancheck

import (
	"slices"

	"comus/cir"
)

// Rings: the elements in use are those from the head on, as many as a number tells, up to the tail; the first element follows the last one. Head and tail are told modulo
// the array's length, as is what is computed of them; so none of these is compared. An element is told from the head (byHead), or from the tail (byCount). When the lock is free,
// head plus number is the tail, modulo the length, and the number is from 0 to the length.

// origin returns what the first element in use is told by.
func (w *transferWalk) origin(row int) int {
	if w.rows[row].ring {
		return byHead + row
	}
	return byNothing
}

// ringOf returns the ring whose head or tail tells an index, -1 if none does.
func (w *transferWalk) ringOf(v hval) int {
	if v.kind != hIndex || v.id < byCount || v.id >= byAmount {
		return -1
	}
	if row := (v.id - byCount) % maxRows; row < len(w.rows) && w.rows[row].ring {
		return row
	}
	return -1
}

// inRing decides whether an element is in use that is told from the head or the tail.
func (w *transferWalk) inRing(s *hstate, row, by int, off int64, p *hpick) bool {
	r, inwards := &s.rows[row], off
	if by == byCount+row {
		inwards = -1 - off
	}
	switch {
	case inwards == -1 && w.hasRoom(s, row):
		return false // next to the elements in use
	case inwards < 0 || inwards >= plenty || inwards >= w.rows[row].length:
		w.no("an element of a ring is too far from its ends, or the ring may be full", nil)
		return false
	case inwards < r.lo:
		return true
	case r.hi < plenty && inwards >= r.hi:
		return false
	}
	if p.pick(2) == 0 {
		r.hi = inwards
		return false
	}
	r.lo = inwards + 1
	return true
}

// roundTheRing reports whether two listed elements of a ring are told by the same and are one, as the first element follows the last one.
func (w *transferWalk) roundTheRing(s *hstate) bool {
	for i, r := range s.rows {
		for k, e := range r.elems {
			if w.rows[i].ring && slices.ContainsFunc(r.elems[:k], func(f helem) bool {
				return e.by == f.by && e.off != f.off && (e.off-f.off)%w.rows[i].length == 0
			}) {
				return true
			}
		}
	}
	return false
}

// hasRoom reports whether some element of a ring is not in use.
func (w *transferWalk) hasRoom(s *hstate, row int) bool {
	r := s.rows[row]
	return r.room || r.hi < plenty && r.hi < w.rows[row].length
}

// ringNumber is a store to the head or tail of a ring, or to the number of its elements in use.
func (w *transferWalk) ringNumber(s *hstate, row, n int, v hval, p *hpick) {
	r, x := &s.rows[row], w.rows[row]
	end := byCount + row
	switch {
	case !r.lost && n == x.count && v.kind == hIndex && v.id == byAmount+row:
		s.nums[n] = v
		return
	case !r.lost && n != x.count && v == s.nums[n]:
		return
	case !r.lost && n == x.tail && v == hval{hIndex, end, 1} && w.hasRoom(s, row):
		if e := w.elem(s, row, end, 0, p); !p.none && w.why == "" {
			e.used = true // with what was stored there before; otherwise nobody knows that
			s.substitute(end, end, -1)
			s.substitute(byAmount+row, byAmount+row, -1)
			s.nums[n], r.room = hval{hIndex, end, 0}, false
			r.extend(1)
		}
		return
	case !r.lost && n == x.head && v == hval{hIndex, byHead + row, 1} && r.lo > 0:
		if e := w.elem(s, row, byHead+row, 0, p); !p.none && w.why == "" {
			e.used = false
			s.substitute(byHead+row, byHead+row, -1)
			s.substitute(byAmount+row, byAmount+row, 1)
			s.nums[n], r.room = hval{hIndex, byHead + row, 0}, true
			r.extend(-1)
		}
		return
	case !r.lost:
		for _, k := range x.numbers() {
			s.nums[k] = hval{}
		}
	}
	w.forgetRow(s, row)
	if s.nums[n] = v; v != (hval{kind: hNumber}) {
		s.nums[n] = hval{}
	}
	if !slices.ContainsFunc(x.numbers(), func(k int) bool { return s.nums[k] != hval{kind: hNumber} }) {
		s.rows[row] = hrow{}
		w.tellNumbers(s, row)
	}
}

// forgetRow makes that nothing is known of a row.
func (w *transferWalk) forgetRow(s *hstate, row int) {
	for _, by := range []int{byCount, byHead, byAmount} {
		s.substitute(by+row, s.unknownIndex(), 0)
	}
	s.rows[row] = hrow{lost: true}
}

// extend notes that so many more elements are in use.
func (r *hrow) extend(by int64) {
	if r.lo = min(r.lo+by, plenty); r.hi < plenty {
		r.hi = min(r.hi+by, plenty)
	}
}

// numbers returns the numbers that tell which elements of a row are in use.
func (r containerRow) numbers() []int {
	switch {
	case r.ring:
		return []int{r.count, r.head, r.tail}
	case r.count >= 0:
		return []int{r.count}
	}
	return nil
}

// tellNumbers sets these to what tells them.
func (w *transferWalk) tellNumbers(s *hstate, row int) {
	if r := w.rows[row]; r.ring {
		s.nums[r.count], s.nums[r.head], s.nums[r.tail] = hval{hIndex, byAmount + row, 0}, hval{hIndex, byHead + row, 0}, hval{hIndex, byCount + row, 0}
	} else if r.count >= 0 {
		s.nums[r.count] = hval{hIndex, byCount + row, 0}
	}
}

// agreed reports whether they are told by that again.
func (w *transferWalk) agreed(s *hstate, row int) bool {
	r := w.rows[row]
	return !r.ring || s.nums[r.count] == hval{hIndex, byAmount + row, 0} && s.nums[r.head] == hval{hIndex, byHead + row, 0} && s.nums[r.tail] == hval{hIndex, byCount + row, 0}
}

// fullCompared compares the number of elements in use of a ring with its length.
func (w *transferWalk) fullCompared(s *hstate, row int, pred cir.Pred, p *hpick) hval {
	r := &s.rows[row]
	full := false
	if !w.hasRoom(s, row) {
		full = p.pick(2) == 1
	}
	if r.room = !full; full {
		if r.lo = plenty; r.hi < plenty {
			p.none = true
		}
	}
	switch pred {
	case cir.Eq, cir.Ge:
		return isTrue(full)
	case cir.Ne, cir.Lt:
		return isTrue(!full)
	}
	return hval{}
}

// modulo returns what an index of a ring is modulo the array's length: told by the same.
func (w *transferWalk) modulo(s *hstate, in *cir.Binary, p *hpick) hval {
	a, b := w.value(s, in.X, p), w.value(s, in.Y, p)
	row := w.ringOf(a)
	if row < 0 || b.kind != hNumber {
		return hval{}
	}
	n := w.rows[row].length
	if in.Op == cir.Rem && int64(b.id) == n || in.Op == cir.And && int64(b.id)+1 == n && n&(n-1) == 0 {
		return a
	}
	return hval{}
}
