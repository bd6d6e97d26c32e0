package interp

import (
	"math"
	"math/big"

	"comus/cir"
)

// Floating point in software: exact numbers, rounded to nearest, ties to even, at the end. This is for the
// types that Go has not, and for conversions between them and wide integers.

// class is what a soft is.
type class uint8

const (
	zero class = iota
	finite
	infinite
	nan
)

// soft is a floating-point value of any format: mant * 2^exp.
type soft struct {
	class class
	neg   bool
	mant  *big.Int // > 0 if finite; of a NaN, the payload, to the left in 112 bits
	exp   int
}

// format is a floating-point format: bits of the exponent and of the significand, its leading bit included.
type format struct{ exp, mant int }

// formatOf returns a type's format.
func formatOf(t cir.Type) format {
	switch t.Bits {
	case 16:
		return format{5, 11}
	case 32:
		return format{8, 24}
	case 64:
		return format{11, 53}
	case 80:
		return format{15, 64}
	}
	return format{15, 113}
}

func (f format) bias() int { return 1<<(f.exp-1) - 1 }

// payloadBits is the width of a NaN's payload in a soft.
const payloadBits = 112

// unpack returns the value of a float in a register.
func unpack(s slot, t cir.Type) soft {
	f := formatOf(t)
	var v soft
	m := new(big.Int)
	var e int
	switch {
	case t.Bits == 80:
		m.SetUint64(s.lo)
		e, v.neg = int(s.hi&0x7fff), s.hi>>15&1 != 0
		if e == 0x7fff {
			m.SetUint64(s.lo << 1 >> 1)
		}
	case t.Bits == 128:
		m.SetUint64(s.hi & (1<<48 - 1))
		m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(s.lo))
		e, v.neg = int(s.hi>>48&0x7fff), s.hi>>63 != 0
	default:
		m.SetUint64(s.lo & (1<<(f.mant-1) - 1))
		e, v.neg = int(s.lo>>(f.mant-1)&(1<<f.exp-1)), s.lo>>(t.Bits-1)&1 != 0
	}
	if e == 1<<f.exp-1 {
		if v.class = infinite; m.Sign() != 0 {
			v.class = nan
			v.mant = m.Lsh(m, uint(payloadBits-(f.mant-1)))
		}
		return v
	}
	if e == 0 {
		e = 1
	} else if t.Bits != 80 {
		m.SetBit(m, f.mant-1, 1)
	}
	if m.Sign() == 0 {
		return v
	}
	v.class, v.mant, v.exp = finite, m, e-f.bias()-(f.mant-1)
	return v
}

// pack rounds a value to a type.
func pack(v soft, t cir.Type) slot {
	f := formatOf(t)
	e, m := 0, new(big.Int)
	switch v.class {
	case infinite:
		e = 1<<f.exp - 1
	case nan:
		e = 1<<f.exp - 1
		if v.mant != nil {
			m.Rsh(v.mant, uint(payloadBits-(f.mant-1)))
		}
		m.SetBit(m, f.mant-2, 1) // quiet
	case finite:
		e, m = round(v, f)
	}
	sign := truth(v.neg)
	if t.Bits == 80 {
		lo := m.Uint64()
		if e == 0x7fff {
			lo |= 1 << 63
		}
		return slot{lo: lo, hi: sign<<15 | uint64(e)}
	}
	if m.BitLen() == f.mant { // the leading bit is not stored
		m.SetBit(m, f.mant-1, 0)
	}
	if t.Bits == 128 {
		lo := new(big.Int).And(m, mask64).Uint64()
		return slot{lo: lo, hi: sign<<63 | uint64(e)<<48 | m.Rsh(m, 64).Uint64()}
	}
	return slot{lo: sign<<(t.Bits-1) | uint64(e)<<(f.mant-1) | m.Uint64()}
}

// round returns the exponent and significand of a finite value in a format.
func round(v soft, f format) (int, *big.Int) {
	// The value's exponent when the significand has f.mant bits.
	exp := v.exp + v.mant.BitLen() - f.mant
	least := 1 - f.bias() - (f.mant - 1)
	exp = max(exp, least)
	m := new(big.Int)
	if shift := exp - v.exp; shift <= 0 {
		m.Lsh(v.mant, uint(-shift))
	} else {
		m.Rsh(v.mant, uint(shift))
		half := v.mant.Bit(shift-1) != 0
		if half && (m.Bit(0) != 0 || v.mant.TrailingZeroBits() < uint(shift-1)) {
			m.Add(m, big.NewInt(1))
		}
	}
	if m.BitLen() > f.mant {
		m.Rsh(m, 1)
		exp++
	}
	if m.BitLen() < f.mant {
		return 0, m // subnormal, or 0
	}
	e := exp - least + 1
	if e >= 1<<f.exp-1 {
		return 1<<f.exp - 1, new(big.Int)
	}
	return e, m
}

// softInt is an integer as a soft.
func softInt(n *big.Int) soft {
	if n.Sign() == 0 {
		return soft{}
	}
	return soft{class: finite, neg: n.Sign() < 0, mant: new(big.Int).Abs(n)}
}

// softFloat is a Go float as a soft.
func softFloat(x float64) soft { return unpack(slot{lo: math.Float64bits(x)}, cir.F64) }

// float is the value rounded to a float64.
func (v soft) float() float64 { return math.Float64frombits(pack(v, cir.F64).lo) }

// noNumber is what an invalid operation gives: x86's default NaN.
var noNumber = soft{class: nan, neg: true}

// quiet returns the NaN that an operation on x and y returns, one of which is one.
func quiet(x, y soft) soft {
	if x.class != nan {
		return y
	}
	if y.class == nan && y.mant != nil && x.mant != nil && y.mant.Cmp(x.mant) > 0 {
		return y // the x87's rule; only seen with two NaNs
	}
	return x
}

// signed returns the value as an integer times 2^exp, for an exp not above its own.
func (v soft) signed(exp int) *big.Int {
	n := new(big.Int)
	if v.class == finite {
		n.Lsh(v.mant, uint(v.exp-exp))
	}
	if v.neg {
		n.Neg(n)
	}
	return n
}

// softAdd returns x + y.
func softAdd(x, y soft) soft {
	switch {
	case x.class == nan || y.class == nan:
		return quiet(x, y)
	case x.class == infinite && y.class == infinite && x.neg != y.neg:
		return noNumber
	case x.class == infinite:
		return x
	case y.class == infinite:
		return y
	case x.class == zero && y.class == zero:
		return soft{neg: x.neg && y.neg}
	case x.class == zero:
		return y
	case y.class == zero:
		return x
	}
	exp := min(x.exp, y.exp)
	r := softInt(new(big.Int).Add(x.signed(exp), y.signed(exp)))
	r.exp = exp
	return r
}

// softMul returns x * y.
func softMul(x, y soft) soft {
	neg := x.neg != y.neg
	switch {
	case x.class == nan || y.class == nan:
		return quiet(x, y)
	case x.class == infinite && y.class == zero || x.class == zero && y.class == infinite:
		return noNumber
	case x.class == infinite || y.class == infinite:
		return soft{class: infinite, neg: neg}
	case x.class == zero || y.class == zero:
		return soft{neg: neg}
	}
	return soft{class: finite, neg: neg, mant: new(big.Int).Mul(x.mant, y.mant), exp: x.exp + y.exp}
}

// extraBits is how many bits more than the widest format are computed before rounding: two, and one that says whether
// there is a rest.
const extraBits = 113 + 3

// softDiv returns x / y.
func softDiv(x, y soft) soft {
	neg := x.neg != y.neg
	switch {
	case x.class == nan || y.class == nan:
		return quiet(x, y)
	case x.class == infinite && y.class == infinite || x.class == zero && y.class == zero:
		return noNumber
	case x.class == infinite || y.class == zero:
		return soft{class: infinite, neg: neg}
	case x.class == zero || y.class == infinite:
		return soft{neg: neg}
	}
	up := max(0, extraBits+y.mant.BitLen()-x.mant.BitLen())
	q, r := new(big.Int).QuoRem(new(big.Int).Lsh(x.mant, uint(up)), y.mant, new(big.Int))
	return sticky(soft{class: finite, neg: neg, mant: q, exp: x.exp - up - y.exp}, r.Sign() != 0)
}

// sticky appends a bit to the significand that says whether there is a rest.
func sticky(v soft, rest bool) soft {
	v.mant.Lsh(v.mant, 1)
	v.exp--
	if rest {
		v.mant.SetBit(v.mant, 0, 1)
	}
	return v
}

// softSqrt returns the square root of x.
func softSqrt(x soft) soft {
	switch {
	case x.class == nan || x.class == zero || x.class == infinite && !x.neg:
		return x
	case x.neg:
		return noNumber
	}
	up := max(0, 2*extraBits-x.mant.BitLen())
	if (x.exp-up)%2 != 0 {
		up++
	}
	n := new(big.Int).Lsh(x.mant, uint(up))
	r := new(big.Int).Sqrt(n)
	rest := new(big.Int).Mul(r, r).Cmp(n) != 0
	return sticky(soft{class: finite, mant: r, exp: (x.exp - up) / 2}, rest)
}

// softCmp compares two values that are no NaNs.
func softCmp(x, y soft) int {
	switch {
	case x.class == infinite || y.class == infinite:
		return sign(x, infinite) - sign(y, infinite)
	case x.class == zero || y.class == zero:
		return sign(x, finite) - sign(y, finite)
	}
	exp := min(x.exp, y.exp)
	return x.signed(exp).Cmp(y.signed(exp))
}

// sign is the sign of a value of this class, 0 of others.
func sign(x soft, c class) int {
	switch {
	case x.class != c:
		return 0
	case x.neg:
		return -1
	}
	return 1
}

// truncate returns the integer part. The value is finite or zero.
func (v soft) truncate() *big.Int {
	n := new(big.Int)
	if v.class == finite {
		if v.exp >= 0 {
			n.Lsh(v.mant, uint(v.exp))
		} else {
			n.Rsh(v.mant, uint(-v.exp))
		}
	}
	if v.neg {
		n.Neg(n)
	}
	return n
}

// softOp performs an operator.
func softOp(op cir.Op, x, y soft) soft {
	switch op {
	case cir.Add:
		return softAdd(x, y)
	case cir.Sub:
		y.neg = !y.neg && y.class != nan || y.neg && y.class == nan
		return softAdd(x, y)
	case cir.Mul:
		return softMul(x, y)
	}
	return softDiv(x, y)
}
