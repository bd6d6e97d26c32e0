package cfront

import (
	"slices"

	"modernc.org/cc/v4"
)

// arrowOf returns the place of the member that x selects, p->m, for the value v of p.
// If p may point to an object that has no struct like the one p is declared to point
// to, such as another one that begins alike, what counts is where the member is.
func (b *lowerer) arrowOf(x *cc.PostfixExpression, v *value) place {
	t := b.pointee(x.PostfixExpression)
	if t == nil || t.kind != tStruct || t.union {
		return b.fieldOf(x, b.derefArg(x, v, x.PostfixExpression))
	}
	f, off, ok := t.find(x.Token2.SrcStr())
	scalar := f.typ == nil || f.bit == 0 && (f.typ.kind != tInt || f.typ.it.Bits == 1 || int64(f.typ.it.Bits) == 8*f.typ.size)
	if !ok || !scalar || f.typ.kind == tInt && f.typ.size == 1 { // single bytes would have to be found in everything
		return b.fieldOf(x, b.derefArg(x, v, x.PostfixExpression))
	}
	if v.kind == vPtr && v.pl.typ.kind == tStruct && !sameShape(t, v.pl.typ) && !hasPart(t, v.pl.obj.typ) {
		v = b.mustAddress(x, v)
	}
	if v.kind != vInt || v.to == nil || !b.seenOtherwise(x, v, t) {
		return b.fieldOf(x, b.derefArg(x, v, x.PostfixExpression))
	}
	return b.derefDynamic(x, b.moved(v, b.constInt(1, b.ptrInt), off), f.typ)
}

// seenOtherwise reports whether a pointer may point to an object that has no part that
// can be seen as a struct.
func (b *lowerer) seenOtherwise(n cc.Node, v *value, t *ctype) bool {
	otherwise, cells := false, 0
	for _, x := range v.to.sorted() {
		if x.kind != toObject {
			continue
		}
		for _, o := range b.objectsOf(n, x.name) {
			otherwise = otherwise || (o.heap == nil || o.heap.shaped) && !hasPart(t, o.typ)
			cells += len(o.cells)
		}
	}
	return otherwise && cells <= maxSeenAs
}

// maxSeenAs bounds the scalars among which a member is looked for. With more of them,
// it is assumed that objects are accessed as their own type only.
const maxSeenAs = 512

// hasPart reports whether an object of type have, or some part of one, can be accessed
// as one of type want.
func hasPart(want, have *ctype) bool {
	switch {
	case sees(want, have):
		return true
	case have.kind == tArray:
		return have.n > 0 && hasPart(want, have.elem)
	case have.kind == tStruct:
		return slices.ContainsFunc(have.fields, func(f field) bool { return hasPart(want, f.typ) })
	}
	return false
}

// find returns a member, also of an anonymous member, and its offset.
func (t *ctype) find(name string) (f field, off int64, ok bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f, f.off, true
		}
		if f.name == "" && f.typ.kind == tStruct {
			if g, off, ok := f.typ.find(name); ok {
				return g, f.off + off, true
			}
		}
	}
	return field{}, 0, false
}
