package specialise

import (
	"comus/cir"
)

// C leaves open in which order the bytes of a struct or of a memcpy are copied, and those of a memset are set. They are here
// from the first on; where other threads could see the difference that is an assumption.

// inOrder notes that scalars at a pointer are accessed one after the other.
func (b *builder) inOrder(p *value, v cir.Value, ps []piece) {
	if b.cur == nil || b.cur.alone || b.cur.depth > 0 || len(ps) < 2 || p.at != nil && (!p.at.obj.shared || b.cur.unescaped[p.at.obj]) {
		return
	}
	if len(ps) > maxCounts { // too many to look at
		b.assume(assumeCopyOrder)
		return
	}
	seen := 0
	for _, q := range ps {
		first, bits := b.accessBits(q.acc)
		if b.resolve(b.shifted(p, q.off), v, first, bits, q.acc.Align).shared {
			seen++
		}
		if seen > 1 {
			b.assume(assumeCopyOrder)
			return
		}
	}
}
