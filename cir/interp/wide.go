package interp

import (
	"math/big"
	"math/bits"

	"comus/cir"
)

// Integers of 65 to 128 bits are computed as big integers or on two words.

// normal extends the value of an integer by its sign.
func normal(lo, hi uint64, t cir.Type) slot {
	n := cir.Int{Type: t, Lo: lo, Hi: hi}.Normal()
	return slot{lo: n.Lo, hi: n.Hi}
}

// widen completes the upper half of an integer of type t in a register.
func widen(s slot, t cir.Type) slot {
	if t.Bits <= 64 {
		s.hi = 0
		if t.Signed {
			s.hi = uint64(int64(s.lo) >> 63)
		}
	}
	return slot{lo: s.lo, hi: s.hi}
}

// bigOf returns the value of an integer in a register.
func bigOf(s slot, t cir.Type) *big.Int {
	s = widen(s, t)
	n := new(big.Int)
	if t.Signed && int64(s.hi) < 0 {
		lo, c := bits.Sub64(0, s.lo, 0)
		hi, _ := bits.Sub64(0, s.hi, c)
		n.SetUint64(hi)
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(lo))
		return n.Neg(n)
	}
	n.SetUint64(s.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(s.lo))
}

var (
	mask64 = new(big.Int).SetUint64(^uint64(0))
	two128 = new(big.Int).Lsh(big.NewInt(1), 128)
	bigOne = big.NewInt(1)
)

// ofBig converts an integer to a type, and reports whether it has this value there.
func ofBig(n *big.Int, t cir.Type) (slot, bool) {
	m := new(big.Int).Mod(n, two128)
	lo := new(big.Int).And(m, mask64).Uint64()
	hi := m.Rsh(m, 64).Uint64()
	s := normal(lo, hi, t)
	return s, bigOf(s, t).Cmp(n) == 0
}

// decimal is an integer in a register as text.
func decimal(s slot, t cir.Type) string { return bigOf(s, t).String() }

// shiftLeft returns x << n.
func shiftLeft(x slot, n uint) slot {
	switch {
	case n == 0:
		return x
	case n >= 128:
		return slot{}
	case n >= 64:
		return slot{hi: x.lo << (n - 64)}
	}
	return slot{lo: x.lo << n, hi: x.hi<<n | x.lo>>(64-n)}
}

// shiftRight returns x >> n, with sign bits from above for signed types.
func shiftRight(x slot, n uint, signed bool) slot {
	fill := uint64(0)
	if signed {
		fill = uint64(int64(x.hi) >> 63)
	}
	up := func(v uint64, n uint) uint64 {
		if n >= 64 {
			return fill
		}
		return v>>n | fill<<(64-n)&^(1<<(64-n)-1)
	}
	switch {
	case n == 0:
		return x
	case n >= 64:
		if n == 64 {
			return slot{lo: x.hi, hi: fill}
		}
		return slot{lo: up(x.hi, n-64), hi: fill}
	}
	return slot{lo: x.lo>>n | x.hi<<(64-n), hi: up(x.hi, n)}
}

// wideBinary performs an operator on integers of more than 64 bits.
func wideBinary(t *thread, f *frame, in *inst) bool {
	x, y, ty := f.s[in.a], f.s[in.b], in.x.types[0]
	var r slot
	switch op := cir.Op(in.c); op {
	case cir.And:
		r = slot{lo: x.lo & y.lo, hi: x.hi & y.hi}
	case cir.Or:
		r = slot{lo: x.lo | y.lo, hi: x.hi | y.hi}
	case cir.Xor:
		r = slot{lo: x.lo ^ y.lo, hi: x.hi ^ y.hi}
	case cir.Shr, cir.Shl:
		return wideShift(t, f, in)
	case cir.Div, cir.Rem:
		if y.lo|y.hi == 0 {
			return t.m.undefined(CheckDivision, divisionByZero)
		}
		a, b := bigOf(x, ty), bigOf(y, ty)
		q := new(big.Int).Quo(a, b)
		_, fits := ofBig(q, ty)
		if op == cir.Rem {
			q.Rem(a, b)
		}
		f.s[in.d], _ = ofBig(q, ty)
		return fits || overflows(t)
	default:
		return wideArith(t, f, in, op)
	}
	f.s[in.d] = normal(r.lo, r.hi, ty)
	return true
}

// wideArith performs +, - and *.
func wideArith(t *thread, f *frame, in *inst, op cir.Op) bool {
	x, y, ty := f.s[in.a], f.s[in.b], in.x.types[0]
	if !ty.Signed || in.x.why != "" {
		var r slot
		var c uint64
		switch op {
		case cir.Add:
			r.lo, c = bits.Add64(x.lo, y.lo, 0)
			r.hi, _ = bits.Add64(x.hi, y.hi, c)
		case cir.Sub:
			r.lo, c = bits.Sub64(x.lo, y.lo, 0)
			r.hi, _ = bits.Sub64(x.hi, y.hi, c)
		default:
			r.hi, r.lo = bits.Mul64(x.lo, y.lo)
			r.hi += x.hi*y.lo + x.lo*y.hi
		}
		f.s[in.d] = normal(r.lo, r.hi, ty)
		return true
	}
	var ok bool
	f.s[in.d], ok = ofBig(exactly(op, bigOf(x, ty), bigOf(y, ty)), ty)
	return ok || overflows(t)
}

// exactly returns x op y.
func exactly(op cir.Op, x, y *big.Int) *big.Int {
	r := new(big.Int)
	switch op {
	case cir.Add:
		return r.Add(x, y)
	case cir.Sub:
		return r.Sub(x, y)
	}
	return r.Mul(x, y)
}

// wideShift performs a shift of an integer of more than 64 bits.
func wideShift(t *thread, f *frame, in *inst) bool {
	x, ty := f.s[in.a], in.x.types[0]
	n, ok := t.distance(f, in)
	if !ok {
		return false
	}
	if cir.Op(in.c) == cir.Shr {
		f.s[in.d] = shiftRight(x, n, ty.Signed)
		return true
	}
	r := shiftLeft(x, n)
	r = normal(r.lo, r.hi, ty)
	f.s[in.d] = r
	if !ty.Signed || in.x.why != "" {
		return true
	}
	if int64(x.hi) < 0 {
		return t.m.undefined(CheckShift, "left shift of a negative value")
	}
	if back := shiftRight(r, n, true); back.lo != x.lo || back.hi != x.hi {
		return t.m.undefined(CheckShift, "left shift overflows")
	}
	return true
}

// wideUnary performs an operator on an integer of more than 64 bits.
func wideUnary(t *thread, f *frame, in *inst) bool {
	x, ty := f.s[in.a], in.x.types[0]
	mask := normal(^uint64(0), ^uint64(0), cir.Type{Kind: cir.IntKind, Bits: ty.Bits})
	lo, hi := x.lo, x.hi&mask.hi
	var r slot
	ok := true
	switch cir.Op(in.c) {
	case cir.Neg:
		n, fits := ofBig(new(big.Int).Neg(bigOf(x, ty)), ty)
		f.s[in.d] = n
		return fits || !ty.Signed || in.x.why != "" || overflows(t)
	case cir.Not:
		r = slot{lo: ^lo, hi: ^hi}
	case cir.Clz:
		n := bits.LeadingZeros64(hi)
		if hi == 0 {
			n += bits.LeadingZeros64(lo)
		}
		r.lo = uint64(n - (128 - ty.Bits))
		ok = lo|hi != 0
	case cir.Ctz:
		n := bits.TrailingZeros64(lo)
		if lo == 0 {
			n += bits.TrailingZeros64(hi)
		}
		r.lo = uint64(n)
		ok = lo|hi != 0
	case cir.Popcount:
		r.lo = uint64(bits.OnesCount64(lo) + bits.OnesCount64(hi))
	case cir.Bswap:
		r = shiftRight(slot{lo: bits.ReverseBytes64(hi), hi: bits.ReverseBytes64(lo)}, uint(128-ty.Bits), false)
	}
	f.s[in.d] = normal(r.lo, r.hi, ty)
	return ok || t.m.undefined(CheckShift, "count of the zeros of 0")
}

// wideCompare compares integers of more than 64 bits.
func wideCompare(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a], f.s[in.b]
	same := x.lo == y.lo && x.hi == y.hi
	less := x.hi < y.hi || x.hi == y.hi && x.lo < y.lo
	if in.x.types[0].Signed && x.hi != y.hi {
		less = int64(x.hi) < int64(y.hi)
	}
	f.s[in.d].lo = truth(byPred(cir.Pred(in.c), less, same))
	return true
}

// byPred is the result of a comparison whose operands are ordered.
func byPred(p cir.Pred, less, same bool) bool {
	switch p {
	case cir.Eq:
		return same
	case cir.Ne:
		return !same
	case cir.Lt:
		return less
	}
	return less || same
}

// wideConvert converts between integers of which one has more than 64 bits.
func wideConvert(t *thread, f *frame, in *inst) bool {
	to, from := in.x.types[0], in.x.types[1]
	x := widen(f.s[in.a], from)
	if to == cir.Bool {
		f.s[in.d] = slot{lo: truth(x.lo|x.hi != 0)}
		return true
	}
	f.s[in.d] = normal(x.lo, x.hi, to)
	return true
}

// doOverflow performs an Overflow.
func doOverflow(t *thread, f *frame, in *inst) bool {
	r := exactly(cir.Op(in.imm), bigOf(f.s[in.a], in.x.types[0]), bigOf(f.s[in.b], in.x.types[1]))
	s, ok := ofBig(r, in.x.types[2])
	f.s[in.d].lo, f.s[in.d].hi = s.lo, s.hi
	f.s[in.c].lo = truth(!ok)
	return true
}
