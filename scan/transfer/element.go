package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// based returns how many bytes behind the first element of an array a pointer is, if that is known of all it may be.
func (x *explorer) based(c, a int, v cir.Value, disp int64) (int64, bool) {
	at := x.places(c, v)
	y := x.form.Arrays[a]
	if len(at) != 1 || at[0].Obj != y.At.Obj {
		return 0, false
	}
	off := at[0].Off
	switch v.(type) {
	case *cir.Global, *cir.Local:
		off = 0
	default:
		if !at[0].Exact() && !(y.End == heapEnd && x.isFirst(c, v)) {
			return 0, false
		}
	}
	d := off + disp - y.At.Off
	return d, d >= 0 && d%x.pointer == 0
}

// elementOf returns the address of an element that is computed, other if that is none, or not known which.
func (x *explorer) elementOf(s *state, in *cir.Offset, ch *chooser) value {
	f := s.top()
	a := x.findArray(x.places(f.copy, in.Dst))
	if a < 0 || in.Index != nil && in.Scale != x.pointer {
		return value{}
	}
	sym, off := constant, int64(0)
	if r, ok := in.P.(*cir.Reg); ok && f.regs[r.Index].k == element && f.regs[r.Index].n%maxArrays == a {
		sym, off = f.regs[r.Index].n/maxArrays, f.regs[r.Index].off+in.Disp/x.pointer
		if in.Disp%x.pointer != 0 {
			return value{}
		}
	} else if d, ok := x.based(f.copy, a, in.P, in.Disp); ok {
		off = d / x.pointer
	} else {
		return value{}
	}
	if in.Index == nil {
		return value{element, sym*maxArrays + a, off}
	}
	v := x.symbolic(s, x.eval(s, in.Index, ch), x.prog.Model.TypeOf(in.Index))
	if r, ok := in.Index.(*cir.Reg); ok {
		f.set(r, v)
	}
	switch {
	case v.k == number:
		return value{element, sym*maxArrays + a, off + int64(v.n)}
	case v.k == index && sym == constant:
		return value{element, v.n*maxArrays + a, off + v.off}
	}
	return value{}
}

// aimedElement returns the element that an access of an array goes to.
func (x *explorer) aimedElement(s *state, a int, addr cir.Value, size int64) (sym int, off int64) {
	f := s.top()
	if size != x.pointer {
		x.fail("an element is not accessed as a whole")
	}
	r, isReg := addr.(*cir.Reg)
	if d, ok := x.based(f.copy, a, addr, 0); ok && (!isReg || x.form.Arrays[a].End == heapEnd) {
		return constant, d / x.pointer
	}
	if isReg {
		if v := f.regs[r.Index]; v.k == element && v.n%maxArrays == a {
			return v.n / maxArrays, v.off
		}
	}
	sym = s.newSymbol()
	if isReg {
		f.set(r, value{element, sym*maxArrays + a, 0})
	}
	return sym, 0
}

// reached returns the slot that an access goes to: it is in the array, so there are at least as many used elements as that says.
func (x *explorer) reached(s *state, a *aim, ch *chooser) *slot {
	if !s.held[x.form.Arrays[a.array].Region] {
		x.fail("an array is accessed without its lock")
		return nil
	}
	if y := x.form.Arrays[a.array]; a.sym == counts+a.array && y.Count >= 0 && !y.ring() {
		least, most := &s.arr.least[a.array], s.arr.most[a.array]
		if *least = max(*least, min(-a.off, far)); most < far && most < *least {
			ch.dead = true
			return nil
		}
	}
	i := x.at(s, a.array, a.sym, a.off, ch)
	if ch.dead || x.failed() {
		return nil
	}
	return &s.arr.list[i]
}

// loadElement is a load of an element.
func (x *explorer) loadElement(s *state, a *aim, ch *chooser) value {
	c := x.reached(s, a, ch)
	if c == nil {
		return value{}
	}
	if c.v.k == other {
		c.v = []value{null, {k: address}, {node, 0, anyOff}}[ch.choose(3)]
	}
	return c.v
}

// storeElement is a store to one.
func (x *explorer) storeElement(s *state, a *aim, v value, ch *chooser) {
	if c := x.reached(s, a, ch); c != nil {
		if v = x.definite(s, v, ch); v.k != number && v != (value{node, 0, v.off}) {
			v = value{k: address}
		} else if v.k == node {
			v.off = anyOff
		}
		c.v = v
	}
}

// counted returns the array whose used elements a number tells, -1 if it is not that of one.
func (x *explorer) counted(n int) int {
	return slices.IndexFunc(x.form.Arrays, func(a Array) bool { return slices.Contains(a.numbers(), n) })
}

// isNumber reports whether an access of a number is one as a whole, under its lock.
func (x *explorer) isNumber(s *state, n int, acc cir.Access) bool {
	y := x.form.Numbers[n]
	if acc.Type != y.Type || acc.Bits != nil || acc.Order != cir.Plain {
		x.fail("a number is accessed in another way")
	} else if !s.held[y.Region] {
		x.fail("a number is accessed without its lock")
	}
	return !x.failed()
}

// loadNumber is a load of a number.
func (x *explorer) loadNumber(s *state, n int) value {
	if x.counted(n) < 0 {
		s.arr.nums[n] = x.symbolic(s, s.arr.nums[n], x.form.Numbers[n].Type)
	}
	return s.arr.nums[n]
}

// storeNumber is a store to a number.
func (x *explorer) storeNumber(s *state, n int, v value, ch *chooser) {
	if v.k != number && v.k != index {
		v = value{}
	}
	a := x.counted(n)
	switch {
	case a < 0:
		s.arr.nums[n] = v
	case x.form.Arrays[a].ring():
		x.storeOfRing(s, a, n, v, ch)
	case v.k == index && v.n == counts+a && !s.arr.raw[a] && -far <= v.off && v.off <= far:
		x.shift(s, a, v.off, ch)
	default:
		s.empty(a)
		s.rename(counts + a)
		s.arr.raw[a], s.arr.least[a], s.arr.most[a] = v != null, 0, 0
		if s.arr.nums[n] = (value{index, counts + a, 0}); v != null {
			s.arr.nums[n] = value{}
		}
	}
}

// shift lets an array have so many more used elements. Of those that are new nobody knows what they hold, unless it was stored there.
func (x *explorer) shift(s *state, a int, by int64, ch *chooser) {
	for off := by; off < 0 && !ch.dead && !x.failed(); off++ {
		x.at(s, a, counts+a, off, ch)
	}
	if by > 0 {
		s.arr.list = slices.DeleteFunc(s.arr.list, func(c slot) bool { return c.array == a && !c.live && c.sym != counts+a })
	}
	for off := int64(0); off < by; off++ {
		if !slices.ContainsFunc(s.arr.list, func(c slot) bool { return c.array == a && c.sym == counts+a && c.off == off }) {
			s.arr.list = append(s.arr.list, slot{a, counts + a, off, false, value{}})
		}
	}
	s.move(counts+a, by)
	x.setNumbers(s, a)
	for i := range s.arr.list {
		if c := &s.arr.list[i]; c.array == a && c.sym == counts+a {
			c.live = c.off < 0
		}
	}
	if len(s.arr.list) > maxSlots {
		x.fail("too many elements at a time")
	}
	if s.grow(a, by); s.arr.least[a] < -far {
		x.fail("a number gets too small")
	}
}

// move lets a symbol stand for so much more.
func (s *state) move(from int, by int64) {
	s.resymbol(func(sym int, off int64) (int, int64) {
		if sym == from {
			off -= by
		}
		return sym, off
	})
}

// grow notes that so many more elements are used.
func (s *state) grow(a int, by int64) {
	least, most := &s.arr.least[a], &s.arr.most[a]
	if *most < far {
		*most = min(*most+by, far)
	}
	*least = min(*least+by, far)
}

// compareCount compares the number of used elements with a constant, and goes on with what that tells. Where it may be below 0, nothing is known.
func (x *explorer) compareCount(s *state, a int, pred cir.Pred, k int64, ch *chooser) value {
	least, most := &s.arr.least[a], &s.arr.most[a]
	holds := func(n int64) bool {
		return []bool{cir.Eq: n == k, cir.Ne: n != k, cir.Lt: n < k, cir.Le: n <= k, cir.Gt: n > k, cir.Ge: n >= k}[pred]
	}
	if *least < 0 || k > far-2 && *most == far || k < -1 {
		return value{}
	}
	var yes, no []int64
	for n := *least; n <= *most; n++ { // far behaves as all that are more
		if holds(n) {
			yes = append(yes, n)
		} else {
			no = append(no, n)
		}
	}
	ways, results := [][]int64{yes, no}, []int{1, 0}
	for i := range ways {
		if len(ways[i]) == 0 {
			ways, results = slices.Delete(ways, i, i+1), slices.Delete(results, i, i+1)
			break
		}
	}
	if len(ways) == 0 {
		ch.dead = true
		return value{}
	}
	i := ch.choose(len(ways))
	*least, *most = ways[i][0], ways[i][len(ways[i])-1]
	return value{number, results[i], 0}
}

// add returns a value by which elements are found, and so many more.
func (x *explorer) add(v value, by int64, t cir.Type) value {
	switch {
	case t.Kind != cir.IntKind || t.Bits < 32 || by < -far || by > far:
	case v.k == index && v.n < amounts && x.isRing((v.n-counts)%maxArrays) && !x.keepsPlace((v.n-counts)%maxArrays, v.off+by, t):
	case v.k == index && (v.n < values || t.Signed || t.Bits == 64) && -2*far < v.off+by && v.off+by < 2*far:
		v.off += by
		return v
	}
	return value{}
}

// sum returns the sum of an index and a constant, or their difference.
func (x *explorer) sum(s *state, in *cir.Binary, ch *chooser) value {
	if x.form.Kind != nil {
		if v, known := x.countOn(s, in, x.eval(s, in.X, ch), x.eval(s, in.Y, ch)); known {
			return v
		}
	}
	if in.Op == cir.Rem || in.Op == cir.And {
		return x.around(s, in, ch)
	}
	if in.Op != cir.Add && in.Op != cir.Sub || len(x.form.Arrays) == 0 || in.Wrap && in.Dst.Type.Signed {
		return value{}
	}
	v, w := x.eval(s, in.X, ch), x.eval(s, in.Y, ch)
	if in.Op == cir.Add && v.k == number {
		v, w = w, v
	}
	if w.k != number || v.k != index {
		return value{}
	}
	if in.Op == cir.Sub {
		w.n = -w.n
	}
	return x.add(v, int64(w.n), in.Dst.Type)
}

// clearsParts is a fill of known bytes with 0: of whole arrays, and of numbers.
func (x *explorer) clearsParts(s *state, at pointsto.Location, n int64, ch *chooser) bool {
	found := false
	covers := func(l pointsto.Location, size int64, region int) bool {
		if l.Obj != at.Obj || l.Off >= at.Off+n || l.Off+size <= at.Off {
			return false
		}
		found = true
		if l.Off < at.Off || l.Off+size > at.Off+n {
			x.fail("a part of an array is cleared")
		} else if !s.held[region] {
			x.fail("an array is cleared without its lock")
		}
		return true
	}
	for i, y := range x.form.Numbers {
		if covers(y.At, x.size(y.Type), y.Region) {
			x.storeNumber(s, i, null, ch)
		}
	}
	for a, y := range x.form.Arrays {
		if covers(y.At, y.End-y.At.Off, y.Region) {
			if y.Count >= 0 && s.arr.most[a] > 0 {
				x.fail("used elements are cleared")
			}
			s.empty(a)
			s.arr.raw[a] = s.arr.raw[a] && y.Count >= 0
		}
	}
	return found
}

// compareIndex returns the result of a comparison with what elements are found by, if it is known.
func (x *explorer) compareIndex(s *state, pred cir.Pred, a, b value, ch *chooser) value {
	if a.k == number {
		a, b = b, a
		pred = []cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Le: cir.Ge, cir.Gt: cir.Lt, cir.Ge: cir.Le}[pred]
	}
	y := a.n - counts
	switch {
	case a.k == index && amounts <= a.n && a.n < values && b.k == number && !s.arr.raw[a.n-amounts] && s.arr.least[a.n-amounts]+a.off >= 0:
		return x.compareRing(s, a.n-amounts, pred, int64(b.n)-a.off, ch)
	case a.k == index && a.n < values && x.isRing(y%maxArrays):
		return value{} // what is told by the same may be different numbers, before the end and from the beginning
	case a.k == index && b.k == number && 0 <= y && y < len(x.form.Arrays) && !s.arr.raw[y] && s.arr.least[y]+a.off >= 0:
		return x.compareCount(s, y, pred, int64(b.n)-a.off, ch)
	}
	return value{}
}

// convertIndex returns what elements are found by as another type: the same, unless bits are lost or the sign's meaning changes.
func convertIndex(v value, from, to cir.Type) value {
	switch {
	case !from.IsInt() || !to.IsInt() || to.Bits < from.Bits || from.Bits < 32:
		return value{}
	case v.n >= values && v.off != 0 && from.Bits < 64 && (!from.Signed || from.Bits == to.Bits):
		return value{}
	}
	return v
}
