package specialise

import (
	"slices"

	"comus/cir"
	"comus/logic"
)

// What is copied must not overlap what it is copied to, but for memmove: C11 6.5.16.1p3 of assignments, 7.24.2.1 of memcpy, which others
// are made of. A copy to the same place is fine: compilers make them of assignments.

// region is n bytes at a pointer.
type region struct {
	source
	n *value
}

// checkApart makes it an error that a copy goes to a part of what is copied, and another one.
func (b *builder) checkApart(dst, src, size *value, in *cir.Copy) (*value, *value, *value) {
	if in.Overlap {
		return dst, src, size
	}
	mark := b.hold(dst, src, size)
	b.haveApart(region{source{p: dst, v: in.Dst}, size}, region{source{p: src, v: in.Src}, size}, true)
	dst, src, size = b.held[mark], b.held[mark+1], b.held[mark+2]
	b.release(mark)
	return dst, src, size
}

// apart is the intrinsic.
func (b *builder) apart(in *cir.Intrinsic, args []*value) {
	b.dropAfter(in)
	b.haveApart(region{source{p: args[0], v: in.Args[0]}, args[1]}, region{source{p: args[2], v: in.Args[2]}, args[3]}, false)
}

// haveApart makes it an error that two regions overlap, unless that is allowed if they are the same.
func (b *builder) haveApart(x, y region, same bool) {
	if !b.opts.Check.Memory || b.cur == nil || !b.mayShare(x, y, same) {
		return
	}
	mark := b.hold(x.p, x.n, y.p, y.n)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steady(b.held[mark+i])
	}
	p, n, q, m := b.held[mark].t, b.held[mark+1].t, b.held[mark+2].t, b.held[mark+3].t
	zero := b.L.Int(0)
	apart := b.L.Or(b.L.Le(n, zero), b.L.Le(m, zero), b.L.Le(b.L.Add(p, n), q), b.L.Le(b.L.Add(q, m), p))
	if same {
		apart = b.L.Or(apart, b.L.Eq(p, q))
	}
	b.overlapIf(b.L.Not(apart), b.haveAddresses(x.source, y.source))
	b.release(mark)
}

// printsApart makes it an error that a snprintf of least to most bytes writes over one of the strings that it reads.
func (b *builder) printsApart(to region, least, most int64, texts []source) {
	if !b.opts.Check.Memory {
		return
	}
	mark := b.hold(to.p, to.n)
	for _, s := range texts {
		b.within(s.from, func() {
			if _, ok := b.literal(s.p); ok || b.cur == nil || !b.mayShare(to, region{s, to.n}, false) {
				return
			}
			one := b.constVal(b.m.Size(), 1)
			b.haveApart(region{source{p: b.held[mark], v: to.v}, b.atMost(b.held[mark+1], least)}, region{s, one}, false)
			if b.cur != nil {
				to.p, to.n = b.held[mark], b.held[mark+1]
				b.printsBehind(to, most, s)
			}
		})
	}
	b.release(mark)
}

// printsBehind is printsApart for a string that does not begin where something is written for sure.
func (b *builder) printsBehind(to region, most int64, s source) {
	bad, approx := b.L.True(), unsureLength
	if p, q := to.p.at, s.p.at; p != nil && q != nil && len(p.idx) == 0 && len(q.idx) == 0 {
		d := q.off - p.off
		hi, small := to.n.bounds().hi.Int64()
		if t := (target{b.L.True(), q.obj, q.off * 8}); d >= 0 && (d >= most || small && d >= hi) {
			return
		} else if d < 0 && b.readsOwn(t) {
			approx = ""
			for i := range -d {
				bad = b.L.And(bad, b.L.Ne(b.contents(q.obj, (q.off+i)*8, 8, cir.Access{Type: cir.U8}).t, b.L.Int(0)))
			}
		}
	}
	b.settle(true)
	b.approximately(approx, func() {
		b.errorIf(Memory, overlapping+b.text(), b.L.And(bad, b.L.Gt(to.n.t, b.L.Int(0))), to.n.side)
	})
}

// overlapping begins the text of the error that what is copied overlaps what it is copied to.
const overlapping = "copies between memory that overlaps: "

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
	b.approximately(approx, func() { b.errorIf(Memory, overlapping+b.text(), bad, nil) })
}

// mayShare reports whether two regions may have bytes in common; if they are the same that does not count.
func (b *builder) mayShare(x, y region, same bool) bool {
	p, q := x.p.at, y.p.at
	if p == nil || q == nil {
		objects := b.aimed(x.p, x.v)
		return slices.ContainsFunc(b.aimed(y.p, y.v), func(o *object) bool { return slices.Contains(objects, o) })
	}
	n, ok := b.constSize(x.n)
	if p.obj != q.obj || x.n != y.n || !ok {
		return p.obj == q.obj
	}
	step := int64(0) // what the distance is a multiple of, but for the constant offsets
	for _, i := range slices.Concat(p.idx, q.idx) {
		step = gcd(step, abs(i.scale))
	}
	d := p.off - q.off
	return !same || step == 0 && d != 0 && abs(d) < n || step > 0 && (d%step != 0 || step < n)
}

// gcd returns the greatest common divisor.
func gcd(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

// haveAddresses reports whether two pointers are into objects whose addresses tell them apart from all others.
func (b *builder) haveAddresses(x, y source) bool {
	return !slices.ContainsFunc(append(b.aimed(x.p, x.v), b.aimed(y.p, y.v)...), func(o *object) bool { return o.vague || o.many })
}
