package transfer

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Array is an array of addresses in a container. It owns what its used elements lead to: the first ones, as many as a number tells, or all. What other
// elements hold is nobody's: an address that was there stays behind when it is taken, and whoever reads it does not own what it leads to.
type Array struct {
	At     pointsto.Location // of all elements
	Region int
	End    int64 // where its last element ends, as far as an access may tell it from other members
	Count  int   // the number of the form that says how many elements are used; -1: all are
	// Of a ring, the numbers that tell the first used element and the one behind the last; or else -1.
	Head, Tail int
}

// ring reports whether an array is one in which what is put in goes behind what is there, and begins anew at the end.
func (y Array) ring() bool { return y.Head >= 0 }

// size is how many elements an array has.
func (y Array) size() int64 { return (y.End - y.At.Off) / 8 }

const (
	maxArrays = 3
	maxSlots  = 7
	// far is the least number of used elements that is not told from more.
	far = 4
)

// Symbols of what numbers are told by: constants are by none, and for each array there is one for the first element that is not used any more, which without a ring is as many as are used. For rings
// there are also those for the first used one and how many are used. Other values get one when they are looked at.
const (
	constant = 0
	counts   = 1
	heads    = counts + maxArrays
	amounts  = heads + maxArrays
	values   = amounts + maxArrays
)

// origin is the symbol for the first used element of an array.
func (x *explorer) origin(a int) int {
	if x.form.Arrays[a].ring() {
		return heads + a
	}
	return constant
}

// slot is an element of an array with what it holds: null, the followed object's address, that of another one (address), or what nobody knows (other).
// No two slots of an array are one element.
type slot struct {
	array, sym int
	off        int64
	live       bool // it is a used one
	v          value
}

// slots are what is known of the arrays of containers that are held.
type slots struct {
	list []slot
	// raw arrays are those of which nobody knows how many elements are used. in is how many used elements without a name lead to the followed object.
	raw         [maxArrays]bool
	in          [maxArrays]int
	least, most [maxArrays]int64
	room        [maxArrays]bool // not all elements of the ring are used
	nums        []value
}

// findArray returns the array that a pointer leads into in any case, -1 if there is none.
func (x *explorer) findArray(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(x.form.Arrays, func(a Array) bool { return a.At == at[0] })
}

// findNumber returns the number that a pointer leads to in any case, -1 if there is none.
func (x *explorer) findNumber(at []pointsto.Location) int {
	if len(at) != 1 {
		return -1
	}
	return slices.IndexFunc(x.form.Numbers, func(n Number) bool { return n.At == at[0] })
}

// eachPart calls f with the bytes of cells, arrays and numbers.
func (x *explorer) eachPart(f func(o *pointsto.Object, lo, hi int64)) {
	for _, c := range x.form.Cells {
		f(c.At.Obj, c.At.Off, c.At.Off+x.pointer)
	}
	for _, a := range x.form.Arrays {
		f(a.At.Obj, a.At.Off, a.End)
	}
	for _, n := range x.form.Numbers {
		f(n.At.Obj, n.At.Off, n.At.Off+x.size(n.Type))
	}
}

// enter begins with the arrays of a container that is in some state. Where the program begins, nobody knows what variables hold that are not static.
func (x *explorer) enter(s *state, r int, e State, begins bool) {
	k := 0
	for a, y := range x.form.Arrays {
		if y.Region != r {
			continue
		}
		s.arr.in[a] = int(bit(e.Slots[k]))
		s.arr.least[a], s.arr.most[a], s.arr.raw[a], s.arr.room[a] = 0, min(far, y.size()), begins && !x.beginsEmpty(y), false
		if begins {
			s.arr.most[a] = 0
		}
		if k++; y.Count >= 0 && !s.arr.raw[a] {
			x.setNumbers(s, a)
		}
	}
}

// beginsEmpty reports whether an array has no used elements, or those that hold null, when the program begins.
func (x *explorer) beginsEmpty(y Array) bool {
	if y.Count < 0 {
		return isZero(y.At, y.End-y.At.Off)
	}
	for _, k := range y.numbers() {
		if n := x.form.Numbers[k]; !isZero(n.At, x.size(n.Type)) {
			return false
		}
	}
	return true
}

// numbers returns the numbers that tell which elements are used.
func (y Array) numbers() []int {
	switch {
	case y.Count < 0:
		return nil
	case y.ring():
		return []int{y.Count, y.Head, y.Tail}
	}
	return []int{y.Count}
}

// setNumbers tells these by their symbols.
func (x *explorer) setNumbers(s *state, a int) {
	y := x.form.Arrays[a]
	s.arr.nums[y.Count] = value{index, counts + a, 0}
	if y.ring() {
		s.arr.nums[y.Count], s.arr.nums[y.Head], s.arr.nums[y.Tail] = value{index, amounts + a, 0}, value{index, heads + a, 0}, value{index, counts + a, 0}
	}
}

// ringAsTold reports whether they are as they are told.
func (x *explorer) ringAsTold(s *state, a int) bool {
	y := x.form.Arrays[a]
	return !y.ring() || s.arr.nums[y.Count] == value{index, amounts + a, 0} && s.arr.nums[y.Head] == value{index, heads + a, 0} && s.arr.nums[y.Tail] == value{index, counts + a, 0}
}

// isZero reports whether so many bytes of a variable are 0 when the program begins.
func isZero(l pointsto.Location, n int64) bool {
	return l.Obj.Global != nil && l.Obj.Global.ZeroAt(l.Off, n)
}

// close makes sure that the arrays of a container are as they have to be when its lock is given back, forgets them, and returns how many used elements of each lead to the followed object.
func (x *explorer) close(s *state, r int) (found []int) {
	for a, y := range x.form.Arrays {
		if y.Region != r {
			continue
		}
		n := s.arr.in[a]
		for _, c := range s.arr.list {
			if c.array == a && c.live && c.v.k == other {
				x.fail("what an element holds is not known")
			} else if c.array == a && c.live && c.v.k == node {
				n++
			}
		}
		if found = append(found, n); n > 1 {
			x.fail("two elements lead to an object")
		}
		if s.arr.raw[a] || y.Count >= 0 && (s.arr.least[a] < 0 || !x.ringAsTold(s, a)) {
			x.fail("how many elements are used is not known")
		}
		s.empty(a)
		s.renameAll(a)
	}
	if len(found) == 0 {
		return nil
	}
	for i, n := range x.form.Numbers {
		if n.Region == r {
			s.arr.nums[i] = value{}
		}
	}
	s.revalue(func(v value) value {
		if v.k == index || v.k == element {
			return value{}
		}
		return v
	})
	return found
}

// empty forgets the elements of an array.
func (s *state) empty(a int) {
	s.arr.list = slices.DeleteFunc(s.arr.list, func(c slot) bool { return c.array == a })
	s.arr.in[a] = 0
}

// revalue replaces what registers and locals hold.
func (s *state) revalue(f func(value) value) {
	for i := range s.frames {
		for _, m := range []map[int]value{s.frames[i].locals, s.frames[i].regs} {
			for k, v := range m {
				if m[k] = f(v); m[k].k == other {
					delete(m, k)
				}
			}
		}
	}
}

// resymbol replaces the symbols and offsets that things are told by.
func (s *state) resymbol(f func(sym int, off int64) (int, int64)) {
	one := func(v value) value {
		switch v.k {
		case index:
			if v.n, v.off = f(v.n, v.off); v.n == constant {
				return value{number, int(v.off), 0}
			}
		case element:
			sym, off := f(v.n/maxArrays, v.off)
			return value{element, sym*maxArrays + v.n%maxArrays, off}
		}
		return v
	}
	s.revalue(one)
	for i, v := range s.arr.nums {
		s.arr.nums[i] = one(v)
	}
	for i := range s.arr.list {
		c := &s.arr.list[i]
		c.sym, c.off = f(c.sym, c.off)
	}
}

// newSymbol returns a symbol that nothing is told by.
func (s *state) newSymbol() int {
	top := values - 1
	s.resymbol(func(sym int, off int64) (int, int64) {
		top = max(top, sym)
		return sym, off
	})
	return top + 1
}

// rename gives what is told by a symbol, which gets another meaning, a new one.
func (s *state) rename(from int) {
	to := s.newSymbol()
	s.resymbol(func(sym int, off int64) (int, int64) {
		if sym == from {
			sym = to
		}
		return sym, off
	})
}

// renameAll does so with all symbols of an array.
func (s *state) renameAll(a int) {
	for _, sym := range []int{counts, heads, amounts} {
		s.rename(sym + a)
	}
}

// holdsArrays reports whether arrays of containers are known now.
func (x *explorer) holdsArrays(s *state) bool {
	return slices.ContainsFunc(x.form.Arrays, func(a Array) bool { return s.held[a.Region] })
}

// symbolic returns a value by which elements may be found: of an integer of which nothing is known, with a symbol.
func (x *explorer) symbolic(s *state, v value, t cir.Type) value {
	if v.k != other || t.Kind != cir.IntKind || t.Bits < 32 || !x.holdsArrays(s) {
		return v
	}
	return value{index, s.newSymbol(), 0}
}

// at returns the slot that an access of an array goes to, by the symbol and offset of its index.
func (x *explorer) at(s *state, a, sym int, off int64, ch *chooser) int {
	for i, c := range s.arr.list {
		if c.array == a && c.sym == sym && c.off == off {
			return i
		}
	}
	live := x.isUsed(s, a, sym, off, ch)
	for i, c := range s.arr.list {
		if c.array != a || c.live != live || !x.meets(s, a, c, sym, off, ch) {
			continue
		}
		x.unify(s, a, i, sym, off, ch)
		return i
	}
	c := slot{a, sym, off, live, value{}}
	if live {
		ways := []value{null, {k: address}, {node, 0, anyOff}}
		if s.arr.in[a] == 0 {
			ways = ways[:2]
		}
		if c.v = ways[ch.choose(len(ways))]; c.v.k == node {
			s.arr.in[a]--
		}
	}
	if s.arr.list = append(s.arr.list, c); len(s.arr.list) > maxSlots {
		x.fail("too many elements at a time")
	}
	return len(s.arr.list) - 1
}

// isUsed reports whether an element is among the used ones.
func (x *explorer) isUsed(s *state, a, sym int, off int64, ch *chooser) bool {
	least, most := &s.arr.least[a], &s.arr.most[a]
	switch {
	case s.arr.raw[a]:
		return false
	case x.form.Arrays[a].Count < 0:
		return true
	case x.form.Arrays[a].ring() && (sym == counts+a || sym == heads+a):
		return x.isInRing(s, a, sym, off, ch)
	case sym == counts+a:
		return off < 0
	case sym != x.origin(a):
		return ch.choose(2) == 1
	case off < *least:
		return true
	case *most < far && off >= *most:
		return false
	case ch.choose(2) == 1:
		*least = min(off+1, far)
		return true
	}
	if off < far {
		*most = off
	}
	return false
}

// meets decides whether a slot is the element with some index.
func (x *explorer) meets(s *state, a int, c slot, sym int, off int64, ch *chooser) bool {
	if c.sym == sym {
		return false // for an element there is one offset
	}
	n, told := countOf(a, x.origin(a), c, sym, off)
	if y := x.form.Arrays[a]; told && y.ring() {
		list := slices.DeleteFunc([]int64{n - y.size(), n, n + y.size()}, func(n int64) bool { return n < 0 || n > y.size() })
		if told = len(list) == 1; len(list) == 0 {
			return false
		}
		n = list[0]
	}
	if !told {
		return ch.choose(2) == 1
	}
	least, most := &s.arr.least[a], &s.arr.most[a]
	switch {
	case n < *least || n > *most && *most < far:
		return false
	case *least == *most && n < far:
		return true
	case ch.choose(2) == 1:
		*least, *most = min(n, far), min(n, far)
		return true
	case n == *least && n < far:
		*least++
	case n == *most && n < far:
		*most--
	}
	return false
}

// countOf returns how many elements are used if a slot is the element with some index, where one is told from the end of the used ones, and the other one from the beginning.
func countOf(a, origin int, c slot, sym int, off int64) (n int64, told bool) {
	switch {
	case c.sym == origin && sym == counts+a:
		return c.off - off, true
	case sym == origin && c.sym == counts+a:
		return off - c.off, true
	}
	return 0, false
}

// unify goes on with an index being that of a slot.
func (x *explorer) unify(s *state, a, i, sym int, off int64, ch *chooser) {
	c := s.arr.list[i]
	from, to, by := c.sym, sym, off-c.off
	if from < values {
		from, to, by = sym, c.sym, c.off-off
	}
	if from < values {
		if sym == counts+a { // which is what tells when it is not used any more
			s.arr.list[i].sym, s.arr.list[i].off = sym, off
		}
		return
	}
	s.resymbol(func(sym int, off int64) (int, int64) {
		if sym == from {
			return to, off + by
		}
		return sym, off
	})
	for i, c := range s.arr.list {
		for _, d := range s.arr.list[:i] {
			ch.dead = ch.dead || c.array == d.array && c.sym == d.sym && c.off == d.off
		}
		y := x.form.Arrays[c.array]
		ch.dead = ch.dead || c.sym == constant && c.off < 0 || c.sym == counts+c.array && c.live != (c.off < 0) && y.Count >= 0 && !y.ring()
	}
}

// inOrder calls f with what values are told by, in an order that is always the same.
func (s *state) inOrder(f func(sym int, off int64)) {
	one := func(v value) {
		if v.k == index {
			f(v.n, v.off)
		} else if v.k == element {
			f(v.n/maxArrays, v.off)
		}
	}
	for _, fr := range s.frames {
		for _, m := range []map[int]value{fr.locals, fr.regs} {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				one(m[k])
			}
		}
	}
	for _, v := range s.arr.nums {
		one(v)
	}
}

// wide is how far apart values with one symbol are at most.
const wide = 3

// foldArrays forgets in which elements things are that nobody may ask for any more, and names the others anew.
func (x *explorer) foldArrays(s *state) {
	low, high := map[int]int64{}, map[int]int64{}
	var order []int
	note := func(sym int, off int64) {
		if _, ok := low[sym]; !ok && sym >= values {
			order = append(order, sym)
			low[sym], high[sym] = off, off
		}
		low[sym], high[sym] = min(low[sym], off), max(high[sym], off)
	}
	s.inOrder(note)
	s.arr.list = slices.DeleteFunc(s.arr.list, func(c slot) bool {
		_, known := low[c.sym]
		switch {
		case c.sym == constant:
			known = 0 <= c.off && c.off <= 1
		case c.sym < values:
			known = -2 <= c.off && c.off <= 1
		default:
			known = known && high[c.sym]-low[c.sym] <= wide && low[c.sym]-1 <= c.off && c.off <= high[c.sym]+1
		}
		if known || c.live && c.v.k == other {
			return false
		}
		if c.live && c.v.k == node {
			s.arr.in[c.array]++
		}
		return true
	})
	for _, c := range s.arr.list {
		note(c.sym, c.off)
	}
	tooWide := func(v value) value {
		if v.k == index && high[v.n]-low[v.n] > wide || v.k == element && high[v.n/maxArrays]-low[v.n/maxArrays] > wide {
			return value{}
		}
		return v
	}
	s.revalue(tooWide)
	for i, v := range s.arr.nums {
		s.arr.nums[i] = tooWide(v)
	}
	s.resymbol(func(sym int, off int64) (int, int64) {
		if sym < values {
			return sym, off
		}
		return values + slices.Index(order, sym), off - low[sym]
	})
	slices.SortFunc(s.arr.list, func(c, d slot) int {
		return cmp.Or(cmp.Compare(c.array, d.array), cmp.Compare(c.sym, d.sym), cmp.Compare(c.off, d.off))
	})
}
