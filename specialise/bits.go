package specialise

import (
	"comus/cir"
	"comus/ir"
	"comus/logic"
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
func (b *builder) bitwise(op cir.Op, l, r, v *value) {
	L := b.L
	if v.typ == cir.Bool {
		c := map[cir.Op]*logic.Term{cir.And: L.And(b.truth(l), b.truth(r)), cir.Or: L.Or(b.truth(l), b.truth(r)), cir.Xor: L.Not(L.Iff(b.truth(l), b.truth(r)))}[op]
		v.t = L.BoolToInt(c)
		return
	}
	v.rng = bitBounds(op, l.bounds(), r.bounds())
	logicOp := map[cir.Op]logic.Op{cir.And: logic.OpBitAnd, cir.Or: logic.OpBitOr, cir.Xor: logic.OpBitXor}[op]
	v.t = L.Bits(logicOp, l.t, r.t)
	if v.t.Op() != logicOp {
		return
	}
	and := b.masked(l, r)
	switch {
	case and == nil:
	case op == cir.And:
		v.t = and
	case op == cir.Or:
		v.t = L.Sub(L.Add(l.t, r.t), and)
	default:
		v.t = L.Sub(L.Add(l.t, r.t), L.Mul(L.Int(2), and))
	}
}

// masked returns l & r without an operator on bits, or nil.
func (b *builder) masked(l, r *value) *logic.Term {
	if _, ok := l.t.Const(); ok {
		l, r = r, l
	}
	if c, ok := r.t.Const(); ok {
		if c.Sign() >= 0 {
			return b.maskedBy(l.t, c)
		}
		if rest := b.maskedBy(l.t, logic.IntValue(-1).Sub(c)); rest != nil { // x & c = x - (x & ~c)
			return b.L.Sub(l.t, rest)
		}
		return nil
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

// width returns the number of bits that a value has at most; more than maxBits if it may be negative.
func width(v *value) int {
	if x := v.bounds(); x.lo.Sign() >= 0 {
		return x.hi.Big().BitLen()
	}
	return maxBits + 1
}

// maskedBy returns t & c for a constant c >= 0 with few runs of ones, or nil: for
// the ones from bit i to j it adds (floor(t / 2^i) mod 2^(j-i)) * 2^i.
func (b *builder) maskedBy(t *logic.Term, c logic.Value) *logic.Term {
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
		sum = b.L.Add(sum, b.L.Mul(b.L.Value(pow2(i)), b.bitsOf(t, i, j-i)))
		i = j
	}
	return sum
}

// bitsOf returns n bits of a term from bit i on, as a number that is not negative.
func (b *builder) bitsOf(t *logic.Term, i, n int) *logic.Term {
	if i > 0 {
		t = b.L.Div(t, b.L.Value(pow2(i)))
	}
	return b.L.Mod(t, b.L.Value(pow2(n)))
}

// bitBounds bounds x & y, x | y or x ^ y; nil means those of the type.
func bitBounds(op cir.Op, x, y interval) *interval {
	zero := logic.Value{}
	switch {
	case op == cir.And && x.lo.Sign() >= 0 && (y.lo.Sign() < 0 || x.hi.Cmp(y.hi) < 0):
		return &interval{zero, x.hi}
	case op == cir.And && y.lo.Sign() >= 0:
		return &interval{zero, y.hi}
	case op != cir.And && x.lo.Sign() >= 0 && y.lo.Sign() >= 0:
		n := max(x.hi.Big().BitLen(), y.hi.Big().BitLen())
		return &interval{zero, pow2(n).Sub(logic.IntValue(1))}
	}
	return nil
}

// shift computes l << r or l >> r in the type of l.
func (b *builder) shift(left bool, l, r *value, wrap bool) *value {
	v := b.result(l.typ, l, r)
	it := irType(l.typ)
	L := b.L
	lb, d := l.bounds(), r.bounds()
	first, last := distance(d.lo, it), distance(d.hi, it)
	if d.lo.Sign() < 0 || d.hi.Cmp(logic.IntValue(int64(it.Bits))) >= 0 {
		in := L.And(L.Le(L.Int(0), r.t), L.Lt(r.t, L.Int(int64(it.Bits))))
		b.hasMeaning(v, in, "shift by less than nothing, or by all bits or more,", assumeShift)
		if in.IsFalse() {
			v.t = L.Int(0)
			return v
		}
	}
	if left && it.Signed && !wrap && b.opts.Overflow != OverflowWrap && b.opts.Check.Overflow && lb.lo.Sign() < 0 {
		b.hasMeaning(v, L.Le(L.Int(0), l.t), "left shift of a negative value", "") // which gcc gives a meaning
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
		b.fit(v, lb.lo.Mul(pow2(low)), lb.hi.Mul(pow2(high)), wrap)
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

// maxCounted is the number of bits up to which the bits of an unknown value are counted exactly.
const maxCounted = 64

// countBits computes clz, ctz, popcount or bswap.
func (b *builder) countBits(op cir.Op, v *value) *value {
	n, L := v.typ.Bits, b.L
	w := b.result(v.typ, v)
	u := v.t // as an unsigned number
	if v.typ.Signed {
		r := v.bounds()
		u = b.wrap(v.t, r.lo, r.hi, ir.Type{Bits: n})
	}
	if n > maxCounted {
		return b.anything(v.typ, "bits of a wide integer", nil)
	}
	switch op {
	case cir.Clz, cir.Ctz:
		nz := L.Ne(u, L.Int(0))
		if !nz.IsTrue() {
			b.assume(assumeBits)
			w.side = append(w.side, nz)
		}
		w.t = L.Int(int64(n - 1))
		for i := n - 1; i > 0; i-- {
			k := L.Int(int64(i - 1))
			if op == cir.Clz { // i-1 zeros: the value is at least 2^(n-i)
				w.t = L.Ite(L.Ge(u, L.Value(pow2(n-i))), k, w.t)
			} else { // bit i-1 is the lowest that is set
				w.t = L.Ite(L.Ne(L.Mod(u, L.Value(pow2(i))), L.Int(0)), k, w.t)
			}
		}
		w.rng = &interval{logic.IntValue(0), logic.IntValue(int64(n - 1))}
	case cir.Popcount:
		w.t = L.Int(0)
		for i := range n {
			w.t = L.Add(w.t, b.bitsOf(u, i, 1))
		}
		w.rng = &interval{logic.IntValue(0), logic.IntValue(int64(n))}
	default: // bswap
		w.t = L.Int(0)
		for i := 0; i < n; i += 8 {
			w.t = L.Add(w.t, L.Mul(b.bitsOf(u, i, 8), L.Value(pow2(n-8-i))))
		}
		_, top := ir.Type{Bits: n}.Range()
		w.t = b.wrap(w.t, logic.Value{}, top, irType(v.typ))
	}
	return w
}
