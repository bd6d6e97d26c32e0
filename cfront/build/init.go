package build

import (
	"sort"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// maxStores is the number of constant items of an initialiser beyond which they are
// copied from a constant object instead of stored one by one.
const maxStores = 24

// initialise gives an automatic object its initial value. Scalars are assigned; of everything else the bytes that
// no item names are 0.
func (f *fn) initialise(l lval, init *tree.Init, own bool) {
	if init == nil {
		f.fill(l)
		return
	}
	l.t = unqualInit(l.t)
	old := f.enter(&init.Site)
	defer func() { f.site = old }()
	items := settle(init.Items)
	if len(items) == 1 && items[0].Offset == 0 && items[0].Bits == nil && f.whole(l, items[0]) {
		f.initItem(l, items[0], own)
		return
	}
	if rest, ok := f.copyConstant(l, init, items); ok {
		items = rest
	} else if !covers(items, l.t.Size) {
		f.fill(l)
	}
	var values []tree.Expr
	uses := map[tree.Expr]int{}
	for _, it := range items {
		if uses[it.X]++; !isConstant(it.X) && uses[it.X] == 1 {
			values = append(values, it.X)
		}
	}
	f.openOrder(values...)
	done := map[tree.Expr]lval{}
	for _, it := range items {
		if from, again := done[it.X]; again {
			f.initAgain(l, it, from)
			continue
		}
		f.initItem(l, it, own)
		if uses[it.X] > 1 && !isConstant(it.X) {
			done[it.X] = f.place(l, it)
		}
	}
}

// unqualInit drops the qualifiers that do not matter to an initialisation, which no other thread sees.
func unqualInit(t *types.Type) *types.Type {
	if t.Quals&types.Atomic == 0 {
		return t
	}
	c := *t
	c.Quals &^= types.Atomic
	return &c
}

// whole tells whether an item initialises all of l.
func (f *fn) whole(l lval, it tree.InitItem) bool {
	if s, ok := it.X.(*tree.String); ok {
		return s.Typ.Size >= l.t.Size
	}
	return it.Type.Size == l.t.Size && it.Type.Kind == l.t.Kind && l.t.Kind != types.Array
}

// settle brings items into the order of their places and drops those that a later one overrides.
func settle(items []tree.InitItem) []tree.InitItem {
	sorted := true
	end := int64(0)
	for _, it := range items {
		if it.Offset < end || it.Bits != nil {
			sorted = false
		}
		end = it.Offset + it.Type.Size
	}
	if sorted {
		return items
	}
	var kept []tree.InitItem
	// From the last to the first: an item is dropped if a later one covers it.
	var later []tree.InitItem
	for i := len(items) - 1; i >= 0; i-- {
		it, covered := items[i], false
		lo, hi := bitRange(it)
		for _, k := range later {
			if l, h := bitRange(k); l <= lo && hi <= h {
				covered = true
				break
			}
		}
		if !covered {
			kept = append(kept, it)
			// Neighbours in an array hardly ever override each other; what may be
			// overridden is near.
			if later = append(later, it); len(later) > 1000 {
				later = later[500:]
			}
		}
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	sort.SliceStable(kept, func(i, j int) bool {
		a, _ := bitRange(kept[i])
		b, _ := bitRange(kept[j])
		return a < b
	})
	return kept
}

// bitRange returns the bits that an item initialises.
func bitRange(it tree.InitItem) (lo, hi int64) {
	if b := it.Bits; b != nil {
		lo = it.Offset*8 + int64(b.Offset)
		return lo, lo + int64(b.Width)
	}
	return it.Offset * 8, (it.Offset + it.Type.Size) * 8
}

// covers tells whether items, in order, initialise all of size bytes.
func covers(items []tree.InitItem, size int64) bool {
	end := int64(0)
	for _, it := range items {
		if it.Offset > end || it.Bits != nil {
			return false
		}
		if s, ok := it.X.(*tree.String); ok {
			end = max(end, it.Offset+min(s.Typ.Size, it.Type.Size))
			continue
		}
		end = max(end, it.Offset+it.Type.Size)
	}
	return end >= size
}

// copyConstant copies the constant items from an object made for them, if they are many, and returns the others.
func (f *fn) copyConstant(l lval, init *tree.Init, items []tree.InitItem) ([]tree.InitItem, bool) {
	var constant, rest []tree.InitItem
	for _, it := range items {
		if isConstant(it.X) && it.Bits == nil {
			constant = append(constant, it)
		} else {
			rest = append(rest, it)
		}
	}
	if len(constant) < maxStores || l.t.Size < 0 {
		return nil, false
	}
	d := &data{u: f.u}
	d.items(0, l.t, constant)
	bytes, relocs := d.finish()
	g := f.u.constant(unqual(l.t), bytes, relocs)
	g.Pos = cir.Pos(init.Site.Pos)
	f.emit(&cir.Copy{Dst: f.address(l), Src: g, Size: f.size(l.t), Align: max(min(l.align, g.Align), 1), Volatile: l.volatile(), Shape: g.Shape})
	return rest, true
}

// isConstant tells whether a value needs no instructions.
func isConstant(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.IntConst, *tree.FloatConst, *tree.ComplexConst, *tree.String:
		return true
	case *tree.Decay:
		switch l := e.L.(type) {
		case *tree.String, *tree.FuncRef:
			return true
		case *tree.VarRef:
			return l.Var.Storage == tree.Static
		}
	}
	return false
}

// initItem stores an item. What a call returns is stored behind the call, if not only this function knows the object: a jump may have come back to its initialisation.
func (f *fn) initItem(l lval, it tree.InitItem, own bool) {
	to := f.place(l, it)
	if s, ok := it.X.(*tree.String); ok && isRecord(it.Type) {
		f.initString(to, s)
		return
	}
	if c, ok := it.X.(*tree.Call); ok && own && isRecord(it.Type) && to.bits == nil && !to.volatile() {
		old := f.enter(c.Site)
		f.callTo(c, &to)
		f.site = old
		return
	}
	f.store(to, f.expr(it.X))
}

// place returns what an item initialises.
func (f *fn) place(l lval, it tree.InitItem) lval {
	to := l.at(it.Offset, unqualInit(it.Type))
	to.swap = f.u.swaps(l.t) && swapAt(l.t, it.Offset)
	if it.Bits != nil {
		to.bits = &cir.Bits{Offset: it.Bits.Offset, Width: it.Bits.Width}
	}
	return to
}

// initAgain copies what an item has initialised to another one with the same value, as in [lo ... hi] = value, which is
// computed once.
func (f *fn) initAgain(l lval, it tree.InitItem, from lval) {
	f.store(f.place(l, it), f.load(from))
}

// initString copies a string literal to an array.
func (f *fn) initString(to lval, s *tree.String) {
	n := min(int64(len(s.Data)), to.t.Size)
	if to.t.Size < 0 {
		n = int64(len(s.Data))
	}
	if n == 0 {
		return
	}
	f.emit(&cir.Copy{Dst: f.address(to), Src: f.u.literal(s), Size: f.sizeConst(n), Align: max(min(to.align, s.Typ.Align), 1), Volatile: to.volatile()})
	if n < to.t.Size {
		f.fill(to.at(n, &types.Type{Kind: types.Array, Size: to.t.Size - n, Align: 1}))
	}
}

// fill makes all bytes of an object 0.
func (f *fn) fill(l lval) {
	if l.t.Size == 0 {
		return
	}
	fill := &cir.Fill{Dst: f.address(l), Byte: cir.Int{Type: cir.U8}, Size: f.size(l.t), Volatile: l.volatile()}
	if l.t.Elem != nil || l.t.Kind != types.Array {
		fill.Shape = f.u.shape(l.t)
	}
	f.emit(fill)
}
