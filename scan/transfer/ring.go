package transfer

import "comus/cir"

// In a ring, the used elements are those from the head on to the tail, and behind the last element the first one follows. All numbers that elements are found by count
// up and are taken modulo the array's length, so two of them that differ by a multiple of it are told by the same. How many elements are used is in a number
// of its own, which agrees with head and tail when the lock is free.

func (x *explorer) isRing(a int) bool {
	return 0 <= a && a < len(x.form.Arrays) && x.form.Arrays[a].ring()
}

// isInRing reports whether an element is among the used ones, told from the tail or the head.
func (x *explorer) isInRing(s *state, a, sym int, off int64, ch *chooser) bool {
	least, most, size := &s.arr.least[a], &s.arr.most[a], x.form.Arrays[a].size()
	k := off // so many behind the head, or before the tail
	if sym == counts+a {
		k = -off - 1
	}
	switch {
	case k < 0:
		if k < -1 || !x.hasRoom(s, a) {
			x.fail("an element of a ring is used from the other end")
		}
		return false
	case k >= min(size, far):
		x.fail("an element is too far from the ends of a ring")
		return false
	case k < *least:
		return true
	case k >= *most && *most < far:
		return false
	case ch.choose(2) == 1:
		*least = k + 1
		return true
	}
	*most = k
	return false
}

// hasRoom reports whether not all elements of a ring are used.
func (x *explorer) hasRoom(s *state, a int) bool {
	return s.arr.room[a] || s.arr.most[a] < far && s.arr.most[a] < x.form.Arrays[a].size()
}

// storeOfRing is a store to a number of a ring: its tail or head goes on by one, or how many are used is told anew.
func (x *explorer) storeOfRing(s *state, a, n int, v value, ch *chooser) {
	y := x.form.Arrays[a]
	switch {
	case s.arr.raw[a]:
		x.beginRing(s, a, n, v)
	case n == y.Count && v.k == index && v.n == amounts+a, v == s.arr.nums[n]:
		s.arr.nums[n] = v
	case n == y.Tail && v == value{index, counts + a, 1} && x.hasRoom(s, a):
		i := x.at(s, a, counts+a, 0, ch) // where nobody has stored anything, it holds what is not known
		if ch.dead || x.failed() {
			return
		}
		s.arr.list[i].live = true
		s.move(counts+a, 1)
		s.move(amounts+a, 1)
		s.arr.nums[n] = value{index, counts + a, 0}
		s.arr.room[a] = false
		s.grow(a, 1)
	case n == y.Head && v == value{index, heads + a, 1} && s.arr.least[a] > 0:
		i := x.at(s, a, heads+a, 0, ch)
		if ch.dead || x.failed() {
			return
		}
		s.arr.list[i].live = false
		s.move(heads+a, 1)
		s.move(amounts+a, -1)
		s.arr.nums[n] = value{index, heads + a, 0}
		s.arr.room[a] = true
		s.grow(a, -1)
	default:
		s.arr.raw[a] = true
		for _, k := range y.numbers() {
			s.arr.nums[k] = value{}
		}
		x.beginRing(s, a, n, v)
	}
}

// beginRing is a store to a number of a ring of which it is not known what is used: nothing, if all numbers are 0.
func (x *explorer) beginRing(s *state, a, n int, v value) {
	s.empty(a)
	s.renameAll(a)
	if s.arr.nums[n] = v; v != null {
		s.arr.nums[n] = value{}
	}
	for _, k := range x.form.Arrays[a].numbers() {
		if s.arr.nums[k] != null {
			return
		}
	}
	s.arr.raw[a], s.arr.least[a], s.arr.most[a] = false, 0, 0
	x.setNumbers(s, a)
}

// compareRing compares how many elements of a ring are used with a constant: few, or all.
func (x *explorer) compareRing(s *state, a int, pred cir.Pred, k int64, ch *chooser) value {
	if k != x.form.Arrays[a].size() || k < far {
		return x.compareCount(s, a, pred, k, ch)
	}
	full := !x.hasRoom(s, a) && ch.choose(2) == 1
	if !full {
		s.arr.room[a] = true
	} else if s.arr.least[a] = far; s.arr.most[a] < far {
		ch.dead = true
	}
	switch pred {
	case cir.Eq, cir.Ge:
		return value{number, int(bit(full)), 0}
	case cir.Ne, cir.Lt:
		return value{number, int(bit(!full)), 0}
	}
	return value{}
}

// around returns a number of a ring modulo the array's length, which is told by the same.
func (x *explorer) around(s *state, in *cir.Binary, ch *chooser) value {
	v, w := x.eval(s, in.X, ch), x.eval(s, in.Y, ch)
	if v.k != index || v.n < counts || v.n >= amounts || w.k != number || !x.isRing((v.n-counts)%maxArrays) {
		return value{}
	}
	n := x.form.Arrays[(v.n-counts)%maxArrays].size()
	if in.Op == cir.Rem && int64(w.n) == n || in.Op == cir.And && int64(w.n) == n-1 && n&(n-1) == 0 {
		return v
	}
	return value{}
}

// keepsPlace reports whether a number of a ring, with so much added, is the same modulo the array's length even if it wraps around.
func (x *explorer) keepsPlace(a int, off int64, t cir.Type) bool {
	n := x.form.Arrays[a].size()
	return n&(n-1) == 0 || t.Signed && off >= 0
}
