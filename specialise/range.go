package specialise

import (
	"comus/cir"
)

// checkRange makes it an error that bytes from a pointer on are not all of one object that lives, if that is asked about. It returns the pointer
// and the number of bytes as they are to be used from there on.
func (b *builder) checkRange(p *value, v cir.Value, size *value) (*value, *value) {
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
			if ts := b.resolve(b.held[mark], v, 0, n*8, 1); !ts.vague {
				b.checkTargets(ts)
			}
		}
		return b.held[mark], b.held[mark+1]
	}
	b.held[mark+1] = b.steady(b.held[mark+1])
	at := b.held[mark].at
	if b.cur != nil && at != nil && len(at.idx) == 0 && !at.obj.vague && at.obj.fn == nil {
		most := b.L.Int(at.obj.size)
		if at.obj.limit != nil {
			b.settle(true)
			most = b.limitOf(at.obj)
		}
		s := b.held[mark+1]
		b.errorIf(Memory, "invalid access in "+b.text(), b.L.Gt(b.L.Add(s.t, b.L.Int(at.off)), most), s.side)
	}
	return b.held[mark], b.held[mark+1]
}

// checkBoth is checkRange for both ends of a copy.
func (b *builder) checkBoth(dst, src, size *value, in *cir.Copy) (*value, *value, *value) {
	mark := b.hold(src)
	dst, size = b.checkRange(dst, in.Dst, size)
	src = b.held[mark]
	b.held[mark] = dst
	src, size = b.checkRange(src, in.Src, size)
	dst = b.held[mark]
	b.release(mark)
	return dst, src, size
}
