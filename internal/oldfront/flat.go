package cfront

import (
	"comus/logic"

	"modernc.org/cc/v4"
)

// flattened prepares the pointer v, the value of the expression x, for i to be added
// to it (or subtracted, if sign is -1). A pointer to an element of a row of an array
// of several dimensions leads on to the rows beside: as soon as the result may leave
// the row, the pointer becomes one to an element of the whole. An array that is used
// as a pointer right here is its row alone, as compilers may take it to be.
func (b *lowerer) flattened(v *value, x cc.ExpressionNode, i *value, sign int64) *value {
	if v.kind != vPtr || !v.pl.elem || i.kind != vInt || isArray(x) {
		return v
	}
	p := v.pl
	for {
		q, ok := b.flattenOnce(p, i, sign)
		if !ok {
			break
		}
		p = q
	}
	w := *v
	w.pl = p
	return &w
}

// flattenOnce makes one index of the last two of a place if they are those of an array
// of arrays and the last one plus i may be outside of its array.
func (b *lowerer) flattenOnce(p place, i *value, sign int64) (place, bool) {
	k := len(p.idx) - 1
	if k < 1 {
		return p, false
	}
	row, in := p.idx[k-1], p.idx[k]
	if in.n == 0 || row.stride != in.n*in.stride || row.size != int64(in.n)*in.size || row.length != nil || in.length != nil {
		return p, false
	}
	if c, ok := in.val.constant(); ok {
		if d, ok := i.constant(); ok {
			sum := c.Add(d)
			if sign < 0 {
				sum = c.Sub(d)
			}
			if sum.Sign() >= 0 && sum.Cmp(logic.IntValue(int64(in.n))) < 0 {
				return p, false
			}
		}
	}
	r, j := b.convert(b.stmt, row.val, b.ptrInt), b.convert(b.stmt, in.val, b.ptrInt)
	all := b.intValue(b.L.Add(b.L.Mul(b.L.Int(int64(in.n)), r.t), j.t), b.ptrInt)
	all.side = append(append(all.side, r.side...), j.side...)
	all.src = in.val.src
	in.val, in.n = all, row.n*in.n
	p.idx = append(p.idx[:k-1:k-1], in)
	return p, true
}
