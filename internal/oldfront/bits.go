package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// Bounds of what is spelled out exactly instead of with an operator on bits.
const (
	maxRuns      = 3 // runs of ones in a constant mask
	maxBits      = 3 // width of an operand that is not constant
	maxDistances = 8 // distances of a shift
)

// bitwise computes l & r, l | r or l ^ r into v, for operands of v's type. Where
// that is cheap it is written with sums, div and mod, which engines understand
// exactly: l & r bit by bit, and from it the others, as l | r = l + r - (l & r).
func (b *lowerer) bitwise(op rune, l, r, v *value) {
	L := b.L
	v.rng = bitBounds(op, l.bounds(), r.bounds())
	logicOp := map[rune]logic.Op{'&': logic.OpBitAnd, '|': logic.OpBitOr, '^': logic.OpBitXor}[op]
	v.t = L.Bits(logicOp, l.t, r.t)
	if v.t.Op() != logicOp {
		return
	}
	and := b.masked(l, r)
	switch {
	case and == nil:
	case op == '&':
		v.t = and
	case op == '|':
		v.t = L.Sub(L.Add(l.t, r.t), and)
	default:
		v.t = L.Sub(L.Add(l.t, r.t), L.Mul(L.Int(2), and))
	}
}

// masked returns l & r without an operator on bits, or nil.
func (b *lowerer) masked(l, r *value) *logic.Term {
	if _, ok := l.constant(); ok {
		l, r = r, l
	}
	if c, ok := r.constant(); ok {
		if c.Sign() >= 0 {
			return b.maskedBy(l.t, c)
		}
		if rest := b.maskedBy(l.t, logic.IntValue(-1).Sub(c)); rest != nil { // x & c = x - (x & ~c)
			return b.L.Sub(l.t, rest)
		}
		return nil
	}
	width := func(v *value) int {
		if x := v.bounds(); x.lo.Sign() >= 0 {
			return x.hi.Big().BitLen()
		}
		return maxBits + 1
	}
	n := min(width(l), width(r))
	if n > maxBits {
		return nil
	}
	sum := b.L.Int(0)
	for i := range n {
		bit := func(v *value) *logic.Term { // floor(v / 2^i) mod 2
			if width(v) == 1 {
				return b.L.IntToBool(v.t)
			}
			return b.L.Eq(b.L.Mod(b.L.Div(v.t, b.L.Value(pow2(i))), b.L.Int(2)), b.L.Int(1))
		}
		both := b.L.And(bit(l), bit(r))
		sum = b.L.Add(sum, b.L.Mul(b.L.Value(pow2(i)), b.L.BoolToInt(both)))
	}
	return sum
}

// maskedBy returns t & c for a constant c >= 0 with few runs of ones, or nil: for
// the ones from bit i to j it adds (floor(t / 2^i) mod 2^(j-i)) * 2^i.
func (b *lowerer) maskedBy(t *logic.Term, c logic.Value) *logic.Term {
	mask, sum := c.Big(), b.L.Int(0)
	n := mask.BitLen()
	for i, runs := 0, 0; i < n; i++ {
		if mask.Bit(i) == 0 {
			continue
		}
		if runs++; runs > maxRuns {
			return nil
		}
		j := i
		for j < n && mask.Bit(j) == 1 {
			j++
		}
		part := b.L.Mod(b.L.Div(t, b.L.Value(pow2(i))), b.L.Value(pow2(j-i)))
		sum = b.L.Add(sum, b.L.Mul(b.L.Value(pow2(i)), part))
		i = j
	}
	return sum
}

// bitBounds bounds x & y, x | y or x ^ y; nil means those of the type.
func bitBounds(op rune, x, y interval) *interval {
	zero := logic.Value{}
	switch {
	case op == '&' && x.lo.Sign() >= 0 && (y.lo.Sign() < 0 || x.hi.Cmp(y.hi) < 0):
		return &interval{zero, x.hi}
	case op == '&' && y.lo.Sign() >= 0:
		return &interval{zero, y.hi}
	case op != '&' && x.lo.Sign() >= 0 && y.lo.Sign() >= 0:
		n := max(x.hi.Big().BitLen(), y.hi.Big().BitLen())
		return &interval{zero, pow2(n).Sub(logic.IntValue(1))}
	}
	return nil
}

// shift computes l << r or l >> r in the promoted type of l.
func (b *lowerer) shift(n cc.Node, left bool, l, r *value) *value {
	l, r = b.convert(n, l, promote(l.it)), b.convert(n, r, promote(r.it))
	v := &value{kind: vInt, it: l.it, src: n, to: l.to} // it may be shifted back
	if v.to.has(toObject) {
		b.assume(assumeLayout)
	}
	v.side = append(append(v.side, l.side...), r.side...)
	L := b.L
	lb, d := l.bounds(), r.bounds()
	first, last := distance(d.lo, l.it), distance(d.hi, l.it)
	if d.lo.Sign() < 0 || d.hi.Cmp(logic.IntValue(int64(l.it.Bits))) >= 0 {
		in := L.And(L.Le(L.Int(0), r.t), L.Lt(r.t, L.Int(int64(l.it.Bits))))
		b.assume(assumeShift)
		v.side = append(v.side, in)
		if in.IsFalse() {
			v.t = L.Int(0)
			return v
		}
	}
	op := logic.OpShr
	if left {
		op = logic.OpShl
	}
	v.t = L.Shift(op, l.t, r.t)
	if first < last && last-first < maxDistances {
		v.t = L.Shift(op, l.t, L.Int(int64(last)))
		for k := last - 1; k >= first; k-- {
			v.t = L.Ite(L.Eq(r.t, L.Int(int64(k))), L.Shift(op, l.t, L.Int(int64(k))), v.t)
		}
	}
	low, high := first, first // the distances that lead to the bounds
	if left == (lb.lo.Sign() < 0) {
		low = last
	}
	if left == (lb.hi.Sign() >= 0) {
		high = last
	}
	if left {
		b.fit(n, v, lb.lo.Mul(pow2(low)), lb.hi.Mul(pow2(high)))
		return v
	}
	lo, _ := lb.lo.DivMod(pow2(low))
	hi, _ := lb.hi.DivMod(pow2(high))
	v.rng = &interval{lo, hi}
	return v
}

// distance returns the shift distance of a type that is nearest to d.
func distance(d logic.Value, it ir.Type) int {
	k, small := d.Int64()
	switch {
	case d.Sign() < 0:
		return 0
	case !small || k >= int64(it.Bits):
		return it.Bits - 1
	}
	return int(k)
}
