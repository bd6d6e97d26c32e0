package accesses

import (
	"math"

	"comus/scan/pointsto"
)

// arrayAt returns the array that an offset is in the first element of, if that is no part of another array.
func (x *filling) arrayAt(off int64) (array, bool) {
	all := arraysAround(pointsto.Location{Obj: x.obj, Off: off})
	if len(all) != 1 || all[0].elem <= 0 || off < all[0].start || off >= all[0].start+all[0].elem {
		return array{}, false
	}
	return all[0], true
}

// array returns the array that a cell is in the first element of, and stands for all elements of.
func (x *filling) array(off int64) (array, bool) {
	if off&textBit != 0 {
		_, around, in, _ := x.p.textArray(pointsto.Location{Obj: x.obj, Off: off &^ textBit})
		return around, in && around.whole
	}
	return x.arrayAt(off &^ marks)
}

// length is how many elements an array has, unlimited if that is not known.
func (a array) length() int64 {
	if a.end >= unlimited {
		return unlimited
	}
	return (a.end - a.start) / a.elem
}

// maxElements is of how many elements with constant numbers it is known one by one that they are stored.
const maxElements = 64

// fills notes that some bytes are stored.
func (x *filling) fills(s knowing, a address, size int64) {
	if !x.current(a) || size <= 0 {
		return
	}
	whole := a.at == nil && a.off == 0 && x.obj.Size() > 0 && size >= x.obj.Size()
	for _, off := range x.cells {
		at, n := x.extent(off)
		in, isArray := x.array(off)
		switch {
		case off&textBit != 0, off&useBit != 0 && !x.begins:
		case whole:
			s[known{kind: below, k: math.MaxInt64, off: off}] = true
		case !x.inArray(off):
			if a.at == nil && at >= a.off && at+n <= a.off+size {
				s[known{kind: stored, off: off}] = true
			}
		case !isArray:
		case a.at != nil:
			if in.leads(a, 1) && at >= a.off && at+n <= a.off+size && a.back == 0 {
				s[known{kind: stored, i: a.at, off: off}] = true
			}
		default:
			lo, hi := floor(a.off-at+in.elem-1, in.elem), floor(a.off+size-at-n, in.elem)
			if lo <= 0 && hi >= 0 {
				s[known{kind: below, k: hi + 1, off: off}] = true
			}
			for e := max(lo, 1); lo > 0 && e <= min(hi, lo+maxElements); e++ {
				s[known{kind: stored, k: e, off: off}] = true
			}
		}
	}
}

// floor is a quotient, rounded down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// element reports whether a cell of the element with a constant number is stored in any case.
func (s knowing) element(e, off int64) bool {
	if e >= 0 && s[known{kind: stored, k: e, off: off}] {
		return true
	}
	return s.upTo(e+1, off)
}

// upTo reports whether a cell of all elements before a constant number is known to be stored, by one fact.
func (s knowing) upTo(n, off int64) bool {
	for k := range s {
		if k.kind == below && k.n == nil && k.off == off && k.k >= n {
			return true
		}
	}
	return false
}

// all reports whether a cell is stored in any case, wherever it is in the object.
func (x *filling) all(s knowing, off int64) bool {
	if s[known{kind: below, k: math.MaxInt64, off: off}] {
		return true
	}
	if !x.inArray(off) {
		return s[known{kind: stored, off: off}]
	}
	in, ok := x.array(off)
	return ok && in.length() < unlimited && x.elementsFrom(s, 0, in.length()-1, off)
}

// elementsFrom reports whether a cell of some elements is stored in any case.
func (x *filling) elementsFrom(s knowing, lo, hi, off int64) bool {
	if lo > hi || s.upTo(hi+1, off) {
		return true
	}
	if hi-lo >= maxElements {
		return false
	}
	for e := lo; e <= hi; e++ {
		if !s.element(e, off) {
			return false
		}
	}
	return true
}

// holds reports whether a cell is stored in any case that some bytes from an address on have a part of. A size of -1 stands for all of the element, if it is one that a local holds the number of, or
// of the object.
func (x *filling) holds(s knowing, a address, size, off int64) bool {
	if x.all(s, off) {
		return true
	}
	if !x.current(a) || !x.inArray(off) {
		return false
	}
	in, ok := x.array(off)
	switch {
	case !ok || a.at == nil && size < 0:
		return false
	case a.at == nil:
		at, n := x.extent(off)
		return x.elementsFrom(s, max(floor(a.off-at-n, in.elem)+1, 0), min(floor(a.off+size-at-1, in.elem), in.length()-1), off)
	case !in.leads(a, max(size, 1)): // it may lead to another element
		return false
	case a.back == 0 && s[known{kind: stored, i: a.at, off: off}], a.back > 0 && (s[known{kind: before, i: a.at, off: off}] || s[known{kind: below, n: a.at, off: off}]):
		return true
	}
	for k := range s {
		if k.kind == less && k.i == a.at && (s[known{kind: below, n: k.n, k: k.k, off: off}] || k.n != nil && s[known{kind: before, i: k.n, off: off}] || k.n == nil && s.upTo(k.k, off)) {
			return true
		}
	}
	return false
}

// leads reports whether some bytes are within one element of the array, with the number that a local holds.
func (in array) leads(a address, size int64) bool {
	return a.at != nil && a.scale == in.elem && a.off >= in.start && a.off+size <= in.start+in.elem
}

// reads is a load by the function itself, of some bytes; of all that the address leads to, if size is -1.
func (x *filling) reads(s knowing, a address, size int64) {
	for _, off := range x.cells {
		if x.judging && !x.failed[off] && !x.misses(a, size, off) && !x.holds(s, a, size, off) {
			x.failed[off] = true
		}
	}
}

// misses reports whether some bytes are for sure no part of a cell. Who steps out of an array that is a member makes an invalid access.
func (x *filling) misses(a address, size, off int64) bool {
	if size < 0 || a.vague {
		return false
	}
	at, n := x.extent(off)
	apart := at >= a.off+size || a.off >= at+n
	if a.at == nil {
		return !x.inArray(off) && apart
	}
	in, ok := x.arrayAt(a.off)
	if !ok || !in.leads(a, size) {
		return false
	}
	if y, ok := x.array(off); ok && y.start == in.start && y.elem == in.elem {
		return apart
	}
	return at+n <= in.start || at >= in.end
}
