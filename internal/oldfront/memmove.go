package cfront

import (
	"comus/ir"
	"comus/logic"
	"modernc.org/cc/v4"
)

// maxCounted bounds the numbers of elements that a call of memset, memcpy or memmove
// with a size that is not known is tried with.
const maxCounted = 64

// bySize calls f for the size of a call of memset, memcpy or memmove, the third of
// its arguments. If it is not known, but a number of elements of what the first one,
// or the first two, point to, f is called for each number of them that there may be.
func (b *lowerer) bySize(c call, vals []*value, f func(size int64)) {
	size := vals[2]
	if n, ok := size.constant(); ok && len(size.side) == 0 {
		if k, small := n.Int64(); small {
			f(k)
			return
		}
	}
	b.want(c, 3)
	p := b.beyondRow(b.derefArg(c.n, vals[0], uncast(c.args[0])), c.args[0], size)
	unit := p.typ.size
	odd := b.opts.Check.Memory && unit&(unit-1) != 0 // a product that wraps around may be small and no multiple
	if b.cur == nil || size.kind != vInt || unit <= 0 || odd || !b.multipleOf(c.args[2], unit) {
		b.fail(c.n, "unsupported: %s of a part of an object, or of a size that is not known here", c.name)
	}
	left := b.elementsLeft(c, p)
	if c.name != "memset" {
		if q := b.beyondRow(b.derefArg(c.n, vals[1], uncast(c.args[1])), c.args[1], size); q.typ.size == unit {
			left = min(left, b.elementsLeft(c, q))
		}
	}
	if left > maxCounted {
		b.fail(c.n, "unsupported: %s of a size that is not known here, of up to %d elements", c.name, left)
	}
	mark := b.hold(vals...)
	b.settleAll()
	if b.pending(size) {
		b.materialise(size)
	}
	b.letGo(mark)
	var flows []*flow
	var any []*logic.Term
	start := b.cur
	for k := range left + 1 {
		is := b.L.Eq(size.t, b.L.Int(k*unit))
		if is.IsFalse() {
			continue
		}
		any = append(any, is)
		b.cur = start.clone()
		b.emitValue(c.n, b.text(c.n), size, ir.AssumeCmd(is))
		f(k * unit)
		flows = append(flows, b.cur)
	}
	b.cur = start
	if b.opts.Check.Memory {
		b.invalid(c.n, "invalid size in "+b.text(c.n), b.L.Or(any...))
	} else {
		b.assume(assumeSizes)
	}
	b.join(c.n, flows...)
}

// beyondRow returns the place that a call accesses from on as an element of the whole
// array of several dimensions if it is given as an element of a row, as by a pointer, and
// more elements than one may lie beyond the row: see flattened.
func (b *lowerer) beyondRow(p place, arg cc.ExpressionNode, more *value) place {
	if !p.elem || isArray(uncast(arg)) {
		return p
	}
	for {
		q, ok := b.flattenOnce(p, more, 1)
		if !ok {
			return p
		}
		p = q
	}
}

// elementsLeft returns the number of elements from a place on, or a bound of it. What is
// not an element of an array may be a part of something else that a call accesses as well.
func (b *lowerer) elementsLeft(c call, p place) int64 {
	switch {
	case p.ptr != nil:
		most := int64(1)
		for _, a := range p.alts {
			most = max(most, a.obj.typ.size/p.typ.size)
		}
		return most
	case !p.elem && p.obj.typ.size > p.typ.size:
		b.fail(c.n, "unsupported: %s of a part of an object, or of a size that is not known here", c.name)
	case !p.elem:
		return 1
	}
	last := p.idx[len(p.idx)-1]
	if k, ok := last.val.constant(); ok {
		if n, small := k.Int64(); small && n >= 0 && n <= int64(last.n) {
			return int64(last.n) - n
		}
	}
	return int64(last.n)
}

// multipleOf reports whether the value of an expression is a multiple of unit, unless
// it is too large for any object.
func (b *lowerer) multipleOf(n cc.ExpressionNode, unit int64) bool {
	if unit == 1 {
		return true
	}
	n = unparen(n)
	if v := b.literalOf(n); v != nil {
		k, ok := v.constant()
		size, small := k.Int64()
		return ok && small && size%unit == 0
	}
	if op, l, r, ok := binaryOf(n); ok {
		switch op {
		case "*":
			return b.multipleOf(l, unit) || b.multipleOf(r, unit)
		case "+":
			return b.multipleOf(l, unit) && b.multipleOf(r, unit)
		}
	}
	return false
}

// moveParts copies what lies at from to the places to, as if by way of a copy of all
// of it: both may be parts of one object.
func (b *lowerer) moveParts(c call, to, from []place) {
	var into, out []place
	for i := range to {
		into, out = append(into, b.scalarsOf(c, to[i])...), append(out, b.scalarsOf(c, from[i])...)
	}
	mark := len(b.live)
	for _, p := range into {
		b.holdPlace(p)
	}
	first := len(b.live)
	var vals []*value
	for _, p := range out {
		v := b.load(c.n, p)
		vals = append(vals, v)
		b.hold(v)
	}
	for i := range into {
		b.letGo(first)
		b.hold(vals[i+1:]...)
		b.store(c.n, into[i], vals[i], b.text(c.n))
	}
	b.letGo(mark)
}

// scalarsOf returns the scalars that a place consists of.
func (b *lowerer) scalarsOf(c call, p place) []place {
	var out []place
	switch {
	case p.typ.kind == tArray:
		for i := range p.typ.n {
			out = append(out, b.scalarsOf(c, p.at(b.constInt(int64(i), b.ptrInt)))...)
		}
	case p.typ.kind == tStruct:
		for i, f := range p.typ.fields {
			if p.typ.union && i > 0 { // one scalar, which all members are
				break
			}
			out = append(out, b.scalarsOf(c, p.member(f))...)
		}
	case p.typ.kind.isLibrary():
		b.fail(c.n, "unsupported: copy of a mutex or another library object")
	default:
		out = append(out, p)
	}
	return out
}

// apart reports whether two lists of places side by side are known to have nothing in
// common.
func apart(to, from []place) bool {
	i, ok1 := to[0].fixed()
	j, ok2 := from[0].fixed()
	k, ok3 := to[len(to)-1].fixed()
	l, ok4 := from[len(from)-1].fixed()
	return ok1 && ok2 && ok3 && ok4 && (k < j || l < i)
}
