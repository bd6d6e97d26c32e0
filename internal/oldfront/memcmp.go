package cfront

import (
	"comus/ir"

	"modernc.org/cc/v4"
)

// memcmp of objects that are no characters compares their scalars, one after the other.
// Two that differ are compared byte by byte, the lowest one first, as they are stored
// on machines that comus knows.

// comparesObjects reports whether memcmp is given something else than characters.
func (b *lowerer) comparesObjects(c call, vals []*value) bool {
	b.want(c, 3)
	for i, v := range vals[:2] {
		if v.kind != vPtr && v.to == nil || b.cur == nil {
			return false
		}
		p := b.derefArg(c.n, v, uncast(c.args[i]))
		if p.typ.kind == tArray || p.typ.kind == tStruct || p.typ.size != 1 {
			return true
		}
	}
	return false
}

// compareObjects lowers memcmp of a size that is known, of objects of the same shape.
func (b *lowerer) compareObjects(c call, vals []*value) *value {
	size := b.knownSize(c, vals[2])
	parts := [2][]place{}
	for i, v := range vals[:2] {
		bytes := int64(0)
		for _, p := range b.extent(c, v, size, c.args[i]) {
			parts[i] = append(parts[i], b.scalarsOf(c, p)...)
		}
		for _, p := range parts[i] {
			if p.typ.kind != tInt || p.typ.size > 8 || int64(p.typ.it.Bits) != 8*p.typ.size {
				b.fail(c.n, "unsupported: memcmp of objects with other parts than integers")
			}
			bytes += p.typ.size
		}
		if bytes != size {
			b.fail(c.n, "unsupported: memcmp of objects with bytes that belong to no member")
		}
	}
	var less, equal, greater []*flow
	for k, p := range parts[0] {
		if k >= len(parts[1]) || parts[1][k].typ.size != p.typ.size {
			b.fail(c.n, "unsupported: memcmp of objects of different types")
		}
		if b.cur == nil {
			break
		}
		x := b.unsignedPart(c.n, p)
		mark := b.hold(x)
		y := b.unsignedPart(c.n, parts[1][k])
		b.letGo(mark)
		if b.cur == nil {
			break
		}
		same, other := b.split(c.n, b.L.Eq(x.t, y.t), x)
		b.cur = other
		l, g := b.firstByte(c.n, p.typ.size, x, y)
		less, greater = append(less, l...), append(greater, g...)
		b.cur = same
	}
	equal = append(equal, b.cur)
	return b.comparison(c, less, equal, greater)
}

// unsignedPart reads a scalar as an unsigned integer.
func (b *lowerer) unsignedPart(n cc.Node, p place) *value {
	v := b.load(n, p)
	v = b.convert(n, v, ir.Type{Bits: int(8 * p.typ.size)})
	if b.pending(v) || len(v.side) > 0 {
		b.materialise(v)
	}
	return v
}

// firstByte branches on which of two different integers has the smaller byte where they
// differ first.
func (b *lowerer) firstByte(n cc.Node, size int64, x, y *value) (less, greater []*flow) {
	mark := b.hold(x, y)
	defer b.letGo(mark)
	for k := range size {
		if b.cur == nil {
			break
		}
		var bytes [2]*value
		for i, v := range []*value{x, y} {
			shifted := b.binary(n, ">>", v, b.constInt(8*k, intT))
			bytes[i] = b.convert(n, shifted, ir.Type{Bits: 8})
		}
		v := &value{kind: vInt, t: bytes[0].t, it: bytes[0].it, side: append(bytes[0].side[:len(bytes[0].side):len(bytes[0].side)], bytes[1].side...)}
		same, other := b.split(n, b.L.Eq(bytes[0].t, bytes[1].t), v)
		b.cur = other
		l, g := b.split(n, b.L.Lt(bytes[0].t, bytes[1].t), v)
		less, greater = append(less, l), append(greater, g)
		b.cur = same
	}
	b.cur = nil // they differ
	return less, greater
}
