package cfront

import (
	"modernc.org/cc/v4"
)

// leaf is the initialiser of one scalar, or of a struct that is initialised by another one.
type leaf struct {
	cell  *cell
	expr  cc.ExpressionNode
	val   *value // if it is not an expression: a character of a string
	whole *ctype // the type of a struct, whose first scalar is cell
	// ranged marks the initialiser of a range of elements, which is evaluated once.
	ranged bool
}

// cells returns the scalars that the initialiser is for.
func (l leaf) cells() []*cell {
	if l.whole == nil {
		return []*cell{l.cell}
	}
	at := l.cell.index()
	return l.cell.obj.cells[at : at+l.whole.cells]
}

// place returns what the initialiser is for.
func (l leaf) place(b *lowerer) place {
	if l.whole == nil {
		return b.cellPlace(l.cell)
	}
	return place{obj: l.cell.obj, base: l.cell.index(), typ: l.whole}
}

// leaves takes an initialiser apart.
func (b *lowerer) leaves(init *cc.Initializer, o *object) []leaf {
	if o.typ.kind.isLibrary() {
		b.opaqueInit(init, o.typ.kind, o.cells[0])
		return nil
	}
	if init.Case == cc.InitializerInitList {
		return b.listLeaves(init.InitializerList, o)
	}
	return b.listLeaves(&cc.InitializerList{Initializer: init}, o)
}

// listLeaves takes the list of an initialiser apart.
func (b *lowerer) listLeaves(list *cc.InitializerList, o *object) []leaf {
	l := &lister{b: b, byOffset: map[spot]*cell{}}
	for _, c := range o.cells {
		l.byOffset[spot{c.off, c.bit}] = c
	}
	l.members(list, 0, false)
	return l.out.leaves
}

// spot is where a scalar is in an object: its bytes, and the bit in them.
type spot struct {
	off int64
	bit int
}

// lister takes an initialiser apart.
type lister struct {
	b        *lowerer
	byOffset map[spot]*cell
	out      overriding
}

// members visits the items of a list. shift is what their offsets are to be moved by.
func (l *lister) members(list *cc.InitializerList, shift int64, ranged bool) {
	for ; list != nil; list = list.InitializerList {
		i := list.Initializer
		if i.Len() > 1 && list.Designation != nil && list.Designation.DesignatorList.DesignatorList != nil {
			l.b.fail(i, "unsupported: range in an initialiser within another designator")
		}
		for k := range i.Len() {
			l.visit(i, shift+k*i.Type().Size(), ranged || i.Len() > 1)
		}
	}
}

// visit takes one item apart.
func (l *lister) visit(i *cc.Initializer, shift int64, ranged bool) {
	b := l.b
	at := spot{off: shift + i.Offset()}
	if k := b.opaqueKind(i.Type()); k != tVoid {
		b.opaqueInit(i, k, l.byOffset[at])
		return
	}
	if i.Case == cc.InitializerInitList {
		l.clear(i, at.off, i.Type().Size())
		l.members(i.InitializerList, shift, ranged)
		return
	}
	if text := characters(i.AssignmentExpression); text != nil && i.Type().Kind() == cc.Array {
		l.text(i, text, at.off)
		return
	}
	if f := i.Field(); f != nil && f.IsBitfield() {
		at.bit = f.OffsetBits()
	}
	t := b.typeOf(i.AssignmentExpression.Type(), nil)
	if x := complit(i.AssignmentExpression); x != nil && (t.kind == tStruct || i.Type().Kind() == cc.Array) {
		l.clear(i, at.off, x.TypeName.Type().Size())
		l.members(x.InitializerList, at.off, ranged)
		return
	}
	c := l.byOffset[at]
	whole := b.typeOf(i.Type(), nil)
	switch {
	case c == nil || t.kind == tBad || (t.kind == tStruct) != (whole.kind == tStruct):
		b.fail(i, "unsupported: this initialiser")
	case t.kind == tStruct:
		l.check(i, l.out.addWhole(leaf{cell: c, expr: i.AssignmentExpression, whole: whole, ranged: ranged}))
	default:
		l.check(i, l.out.add(leaf{cell: c, expr: i.AssignmentExpression, ranged: ranged}))
	}
}

// text adds the characters of a string that initialises an array.
func (l *lister) text(i *cc.Initializer, text []int64, off int64) {
	l.clear(i, off, i.Type().Size())
	size := i.Type().(*cc.ArrayType).Elem().Size()
	if wide := characterSize(i.AssignmentExpression); wide != size {
		l.b.fail(i, "unsupported: string of characters of %d bytes for elements of %d", wide, size)
	}
	for k, ch := range text {
		if int64(k+1)*size > i.Type().Size() {
			break // the end of the string has no room
		}
		if c := l.byOffset[spot{off: off + int64(k)*size}]; c != nil {
			l.out.add(leaf{cell: c, val: l.b.constInt(ch, intT)})
		}
	}
}

// clear drops the initialisers of a part of the object.
func (l *lister) clear(i *cc.Initializer, off, size int64) { l.check(i, l.out.clearAll(off, size)) }

// check refuses an initialiser that overrides another one in part.
func (l *lister) check(i *cc.Initializer, ok bool) {
	if !ok {
		l.b.fail(i, "unsupported: initialiser for a part of a struct that another one is for")
	}
}
