package specialise

import (
	"comus/cir"
)

// checkRange makes it an error that bytes from a pointer on are not all of one object that lives, if that is asked about. It returns the pointer
// and the number of bytes as they are to be used from there on.
func (b *builder) checkRange(p *value, v cir.Value, size *value) (*value, *value) {
	return b.checkRangeAs(p, v, size, "")
}

// checkRangeAs is checkRange for an access that may be an approximation.
func (b *builder) checkRangeAs(p *value, v cir.Value, size *value, approx string) (*value, *value) {
	if !b.opts.Check.Memory || b.cur == nil {
		return p, size
	}
	mark := b.hold(p, size)
	defer func() { b.release(mark) }()
	if b.pending(p) {
		b.detach(b.held[mark])
	}
	if n, ok := b.constSize(b.held[mark+1]); ok {
		if n > 0 {
			b.checkTargetsAs(b.resolve(b.held[mark], v, 0, n*8, 1), approx)
		}
		return b.held[mark], b.held[mark+1]
	}
	b.held[mark+1] = b.steady(b.held[mark+1])
	if b.cur == nil {
		return b.held[mark], b.held[mark+1]
	}
	at, s := b.held[mark].at, b.held[mark+1]
	if at != nil && at.obj.size < 0 && b.ofLibrary(at.obj) {
		return b.held[mark], s
	}
	if at == nil || len(at.idx) > 0 || at.obj.size < 0 || at.obj.fn != nil {
		b.checkLongest(b.held[mark], v, s, approx)
		return b.held[mark], b.held[mark+1]
	}
	b.settle(true)
	o := at.obj
	if b.outlived(o) {
		b.invalidIf(b.L.True(), nil, untracked)
	}
	s = b.held[mark+1]
	some := b.L.Gt(s.t, b.L.Int(0))
	if b.hasToLive(o) { // in a step of its own, as threads may share how long it is
		b.invalidIf(b.L.And(some, b.L.Not(b.living(o))), s.side, approx)
	}
	most := b.L.Int(o.size)
	if o.limit != nil {
		most = b.limitOf(o)
	}
	bad := b.L.Gt(b.L.Add(s.t, b.L.Int(at.off)), most)
	if at.off < 0 {
		bad = b.L.True()
	}
	b.invalidIf(b.L.And(some, bad), s.side, approx)
	return b.held[mark], b.held[mark+1]
}

// checkLongest checks a range through a pointer that is not known, of a length that is not known: the longest one at most may be invalid.
func (b *builder) checkLongest(p *value, v cir.Value, size *value, approx string) {
	bad, dead, hi := b.L.True(), b.L.False(), int64(0)
	if k, small := size.bounds().hi.Int64(); small && k <= maxCells {
		hi = k
	}
	if hi > 0 {
		if ts := b.resolve(p, v, 0, hi*8, 1); !ts.doubtful {
			bad, dead = b.L.Not(b.L.And(ts.ok...)), b.L.And(b.L.And(ts.found...), b.L.Not(b.L.And(ts.living...)))
		}
	}
	if approx == "" {
		approx = untracked
	}
	b.settle(true)
	some := b.L.Gt(size.t, b.L.Int(0))
	b.invalidIf(b.L.And(some, dead), size.side, approx)
	b.invalidIf(b.L.And(some, bad), size.side, approx)
}

// checkBoth is checkRange for both ends of a copy.
func (b *builder) checkBoth(dst, src, size *value, in *cir.Copy) (*value, *value, *value) {
	mark := b.hold(src)
	dst, size = b.checkRange(dst, in.Dst, size)
	src = b.held[mark]
	if b.isPartOfString(src, in.Src) {
		b.release(mark)
		return dst, src, size
	}
	b.held[mark] = dst
	src, size = b.checkRange(src, in.Src, size)
	dst = b.held[mark]
	b.release(mark)
	return dst, src, size
}
