package specialise

import (
	"slices"

	"comus/cir"
	"comus/logic"
)

// What is copied must not overlap what it is copied to, but for memmove: C11 6.5.16.1p3 of assignments, 7.24.2.1 of memcpy, which others
// are made of. A copy to the same place is fine: compilers make them of assignments.

// checkApart makes it an error that a copy goes to a part of what is copied, and another one.
func (b *builder) checkApart(dst, src, size *value, in *cir.Copy) (*value, *value, *value) {
	if !b.opts.Check.Memory || in.Overlap || !b.maySharePart(dst, in.Dst, src, in.Src, size) {
		return dst, src, size
	}
	mark := b.hold(dst, src, size)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steady(b.held[mark+i])
	}
	dst, src, size = b.held[mark], b.held[mark+1], b.held[mark+2]
	b.release(mark)
	apart := b.areApart(dst.t, size.t, src.t, size.t)
	b.overlapIf(b.L.Not(b.L.Or(apart, b.L.Eq(dst.t, src.t))), b.haveAddresses(dst, in.Dst, src, in.Src))
	return dst, src, size
}

// areApart returns the condition that n bytes at one address and m bytes at another one do not overlap.
func (b *builder) areApart(x, n, y, m *logic.Term) *logic.Term {
	zero := b.L.Int(0)
	return b.L.Or(b.L.Le(n, zero), b.L.Le(m, zero), b.L.Le(b.L.Add(x, n), y), b.L.Le(b.L.Add(y, m), x))
}

// overlapIf makes it an error that what is copied overlaps what it is copied to.
func (b *builder) overlapIf(bad *logic.Term, exact bool) {
	if bad.IsFalse() || b.cur == nil {
		return
	}
	approx := ""
	if !exact {
		approx = untracked
	}
	b.settle(true)
	b.approximately(approx, func() { b.errorIf(Memory, "copies between memory that overlaps: "+b.text(), bad, nil) })
}

// maySharePart reports whether n bytes at one pointer may share some with those at another one, and not all.
func (b *builder) maySharePart(p *value, v cir.Value, q *value, w cir.Value, size *value) bool {
	if p.at == nil || q.at == nil {
		objects := b.aimed(p, v)
		return slices.ContainsFunc(b.aimed(q, w), func(o *object) bool { return slices.Contains(objects, o) })
	}
	if p.at.obj != q.at.obj {
		return false
	}
	n, ok := b.constSize(size)
	step := int64(0) // what the distance is a multiple of, but for the constant offsets
	for _, x := range slices.Concat(p.at.idx, q.at.idx) {
		step = gcd(step, abs(x.scale))
	}
	d := p.at.off - q.at.off
	return !ok || step == 0 && d != 0 && abs(d) < n || step > 0 && (d%step != 0 || step < n)
}

// gcd returns the greatest common divisor.
func gcd(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

// haveAddresses reports whether two pointers are into objects whose addresses tell them apart from all others.
func (b *builder) haveAddresses(p *value, v cir.Value, q *value, w cir.Value) bool {
	return !slices.ContainsFunc(append(b.aimed(p, v), b.aimed(q, w)...), func(o *object) bool { return o.vague || o.many })
}
