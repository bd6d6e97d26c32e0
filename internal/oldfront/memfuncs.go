package cfront

import (
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// memsetCall lowers memset: of whole objects, or of elements of an array that are
// known, to zero bytes, or of characters to any.
func (b *lowerer) memsetCall(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: c.n}
	}
	fill := vals[1]
	if fill.kind != vInt {
		b.fail(c.n, "unsupported: memset to a pointer")
	}
	if b.pending(fill) {
		b.materialise(fill)
	}
	mark := b.hold(vals...)
	b.bySize(c, vals, func(size int64) {
		for _, p := range b.extent(c, vals[0], size, c.args[0]) {
			b.setBytes(c, p, fill)
		}
	})
	b.letGo(mark)
	return vals[0]
}

// setBytes gives each byte of a place this value.
func (b *lowerer) setBytes(c call, p place, fill *value) {
	switch p.typ.kind {
	case tArray:
		for i := range p.typ.n {
			b.setBytes(c, p.at(b.constInt(int64(i), b.ptrInt)), fill)
		}
		return
	case tStruct:
		for i, f := range p.typ.fields {
			if p.typ.union && i > 0 { // one scalar, which all members are
				break
			}
			b.setBytes(c, p.member(f), fill)
		}
		return
	case tInt, tPtr:
		if isFixed(fill) && fill.isNull() {
			b.store(c.n, p, b.constInt(0, p.typ.it), b.text(c.n))
			return
		}
		if v := b.repeated(c, p.typ, fill); v != nil {
			b.store(c.n, p, v, b.text(c.n))
			return
		}
		if p.typ.size == 1 && p.typ.it.Bits == 8 {
			b.store(c.n, p, b.cast(c.n, fill, p.typ), b.text(c.n))
			return
		}
	}
	b.fail(c.n, "unsupported: memset of this object to this value")
}

// repeated returns the integer of more than a byte whose bytes all have the value of
// fill, nil for other types.
func (b *lowerer) repeated(c call, t *ctype, fill *value) *value {
	if t.kind != tInt || t.size < 2 || t.size > 8 || int64(t.it.Bits) != 8*t.size {
		return nil
	}
	v := b.convert(c.n, fill, ir.Type{Bits: 8})
	times := logic.IntValue(0)
	for range t.size {
		times = times.Mul(logic.IntValue(256)).Add(logic.IntValue(1))
	}
	w := b.intValue(b.L.Mul(b.L.Value(times), v.t), ir.Type{Bits: int(8 * t.size)})
	w.side = v.side
	return b.convert(c.n, w, t.it)
}

// memcpyCall lowers memcpy and memmove between objects of the same type.
func (b *lowerer) memcpyCall(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: c.n}
	}
	mark := b.hold(vals...)
	b.bySize(c, vals, func(size int64) {
		to, from := b.extent(c, vals[0], size, c.args[0]), b.extent(c, vals[1], size, c.args[1])
		if len(to) != len(from) || len(to) > 0 && !sameShape(to[0].typ, from[0].typ) {
			b.fail(c.n, "unsupported: %s between objects of different types", c.name)
		}
		if len(to) > 0 && to[0].mayOverlap(from[0]) && !apart(to, from) {
			if c.name != "memmove" {
				b.assume(assumeApart)
			}
			b.moveParts(c, to, from)
			return
		}
		for i := range to {
			b.copyPart(c.n, to[i], from[i], b.text(c.n))
		}
	})
	b.letGo(mark)
	return vals[0]
}

// extent returns the objects that size bytes from a pointer on consist of.
func (b *lowerer) extent(c call, ptr *value, bytes int64, arg cc.ExpressionNode) []place {
	p := b.derefArg(c.n, ptr, uncast(arg))
	if p.typ.size <= 0 || bytes%p.typ.size != 0 {
		b.fail(c.n, "unsupported: %s of a part of an object, or of a size that is not known here", c.name)
	}
	count := bytes / p.typ.size
	if count == 1 {
		return []place{p}
	}
	if count == 0 {
		return nil
	}
	if p.ptr != nil && len(p.idx) == 0 {
		return b.elements(c, p, count)
	}
	if !p.elem {
		b.fail(c.n, "unsupported: %s beyond the end of an object", c.name)
	}
	p = b.beyondRow(p, arg, b.constInt(count-1, b.ptrInt))
	last := p.idx[len(p.idx)-1]
	start := last.val
	if k, ok := start.constant(); ok {
		if n, small := k.Int64(); !small || n+count > int64(last.n) {
			b.fail(c.n, "unsupported: %s beyond the end of an object", c.name)
		}
	}
	if count > int64(last.n) {
		b.fail(c.n, "unsupported: %s beyond the end of an object", c.name)
	}
	start = b.convert(c.n, start, b.ptrInt)
	if _, ok := start.constant(); !ok {
		u := *start
		start = &u
		b.materialise(start)
	}
	var out []place
	for i := range count {
		v := b.intValue(b.L.Add(start.t, b.L.Int(i)), b.ptrInt)
		v.side = start.side
		out = append(out, p.moved(v))
	}
	return out
}

// elements returns count places side by side, the first of which is p.
func (b *lowerer) elements(c call, p place, count int64) []place {
	if count > maxCells {
		b.fail(c.n, "unsupported: %s of more than %d elements", c.name, maxCells)
	}
	var out []place
	for i := range count {
		v := b.moved(p.ptr, b.constInt(i, b.ptrInt), p.typ.size)
		out = append(out, b.deref(c.n, v, p.typ))
	}
	return out
}

// mayOverlap reports whether two places may be parts of the same object.
func (p place) mayOverlap(q place) bool {
	if p.ptr == nil && q.ptr == nil {
		return p.obj == q.obj
	}
	in := func(o *object, q place) bool {
		return q.ptr == nil && q.obj == o || slices.ContainsFunc(q.alts, func(a alt) bool { return a.obj == o })
	}
	if p.ptr == nil {
		return in(p.obj, q)
	}
	return slices.ContainsFunc(p.alts, func(a alt) bool { return in(a.obj, q) })
}

// uncast removes casts of a pointer.
func uncast(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		x, ok := unparen(n).(*cc.CastExpression)
		if !ok {
			return n
		}
		if n = x.CastExpression; x.Case == cc.CastExpressionUnary {
			n = x.UnaryExpression
		}
	}
}

// sameShape reports whether two types consist of the same scalars at the same
// places.
func sameShape(t, u *ctype) bool {
	if t == u {
		return true
	}
	if t.kind != u.kind || t.it != u.it || t.size != u.size || t.n != u.n || len(t.fields) != len(u.fields) {
		return false
	}
	if t.kind == tArray {
		return sameShape(t.elem, u.elem)
	}
	for i, f := range t.fields {
		g := u.fields[i]
		if f.off != g.off || f.bit != g.bit || f.cell != g.cell || !sameShape(f.typ, g.typ) {
			return false
		}
	}
	return true
}

// bitField returns the type of a bit-field whose declared type is t.
func bitField(f *cc.Field, t *ctype, adjacent bool) *ctype {
	bits := int(f.ValueBits())
	if t.kind != tInt || bits > 32 && bits != t.it.Bits {
		return &ctype{kind: tBad, why: "bit-field of this type"}
	}
	u := *t
	u.adjacent = adjacent
	if t.it.Bits != 1 { // not _Bool
		u.it.Bits, u.oneBit = bits, bits == 1 && !t.it.Signed
	}
	return &u
}

// unionType makes a union whose members are integers of one size a struct with
// one scalar, which all members are.
func (b *lowerer) unionType(t *cc.UnionType) *ctype {
	bad := func(why string) *ctype { return &ctype{kind: tBad, why: why} }
	c := &ctype{kind: tStruct, union: true, size: t.Size(), cells: 1}
	if t.IsIncomplete() || t.NumFields() == 0 {
		return bad("incomplete union")
	}
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		ft := b.typeOf(f.Type(), nil)
		if ft.kind == tBad {
			return bad("union with a member of this type: " + ft.why)
		}
		if ft.kind != tInt || ft.it.Bits < 8 || f.IsBitfield() || i > 0 && ft.it.Bits != c.fields[0].typ.it.Bits {
			return bad("union whose members are not integers of one size")
		}
		c.fields = append(c.fields, field{name: f.Name(), typ: ft})
	}
	return c
}
