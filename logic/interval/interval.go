// Package interval computes with ranges of integers: what an operation of package
// logic can give when its operands are within bounds.
package interval

import (
	"math/big"

	"comus/logic"
)

// Interval has the integers from Lo to Hi, at least one. They are not changed. The
// zero Interval stands for no bounds known.
type Interval struct{ Lo, Hi *big.Int }

var (
	zero = new(big.Int)
	one  = big.NewInt(1)
)

// Of returns the interval from lo to hi.
func Of(lo, hi logic.Value) Interval { return Interval{lo.Big(), hi.Big()} }

// Point returns the interval of one integer.
func Point(v *big.Int) Interval { return Interval{v, v} }

// Bounded reports whether there are bounds.
func (a Interval) Bounded() bool { return a.Lo != nil }

// Contains reports whether v is in the interval.
func (a Interval) Contains(v *big.Int) bool { return a.Lo.Cmp(v) <= 0 && v.Cmp(a.Hi) <= 0 }

// Includes reports whether all of b is in the interval.
func (a Interval) Includes(b Interval) bool { return a.Lo.Cmp(b.Lo) <= 0 && b.Hi.Cmp(a.Hi) <= 0 }

// IsPoint returns the one integer of the interval, if it is only one.
func (a Interval) IsPoint() (*big.Int, bool) { return a.Lo, a.Lo.Cmp(a.Hi) == 0 }

// Equal reports whether both have the same bounds.
func (a Interval) Equal(b Interval) bool {
	if !a.Bounded() || !b.Bounded() {
		return a.Bounded() == b.Bounded()
	}
	return a.Lo.Cmp(b.Lo) == 0 && a.Hi.Cmp(b.Hi) == 0
}

// Signed returns what fits so many bits in two's complement.
func Signed(bits uint) Interval {
	half := new(big.Int).Lsh(one, bits-1)
	return Interval{new(big.Int).Neg(half), new(big.Int).Sub(half, one)}
}

// Unsigned returns what fits so many bits without a sign.
func Unsigned(bits uint) Interval {
	top := new(big.Int).Lsh(one, bits)
	return Interval{zero, top.Sub(top, one)}
}

// Bits returns how many bits in two's complement all of the interval fits.
func (a Interval) Bits() uint { return max(signedBits(a.Lo), signedBits(a.Hi)) }

func signedBits(v *big.Int) uint {
	if v.Sign() < 0 {
		v = new(big.Int).Not(v)
	}
	return uint(v.BitLen()) + 1
}

// Join returns the least interval that includes both; no bounds if one has none.
func (a Interval) Join(b Interval) Interval {
	if !a.Bounded() || !b.Bounded() {
		return Interval{}
	}
	return Interval{least(a.Lo, b.Lo), largest(a.Hi, b.Hi)}
}

// Meet returns what is in both, and whether there is anything.
func (a Interval) Meet(b Interval) (Interval, bool) {
	if !a.Bounded() {
		return b, true
	} else if !b.Bounded() {
		return a, true
	}
	m := Interval{largest(a.Lo, b.Lo), least(a.Hi, b.Hi)}
	return m, m.Lo.Cmp(m.Hi) <= 0
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func largest(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// Add returns the sums.
func (a Interval) Add(b Interval) Interval {
	return Interval{new(big.Int).Add(a.Lo, b.Lo), new(big.Int).Add(a.Hi, b.Hi)}
}

// hull returns the least interval with these.
func hull(vs ...*big.Int) Interval {
	r := Interval{vs[0], vs[0]}
	for _, v := range vs[1:] {
		r = r.Join(Point(v))
	}
	return r
}

// Mul returns bounds of the products.
func (a Interval) Mul(b Interval) Interval {
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	return hull(mul(a.Lo, b.Lo), mul(a.Lo, b.Hi), mul(a.Hi, b.Lo), mul(a.Hi, b.Hi))
}

// abs returns the largest absolute value.
func (a Interval) abs() *big.Int {
	return largest(new(big.Int).Neg(a.Lo), a.Hi)
}

// Div returns bounds of the Euclidean quotients; that by 0 is 0.
func (a Interval) Div(b Interval) Interval {
	if b.Lo.Sign() > 0 {
		q := func(x, y *big.Int) *big.Int { return new(big.Int).Div(x, y) }
		return hull(q(a.Lo, b.Lo), q(a.Lo, b.Hi), q(a.Hi, b.Lo), q(a.Hi, b.Hi))
	}
	m := new(big.Int).Add(a.abs(), one) // rounding away from 0 gives no more
	return Interval{new(big.Int).Neg(m), m}
}

// Mod returns bounds of the Euclidean remainders; that by 0 is 0.
func (a Interval) Mod(b Interval) Interval {
	hi := new(big.Int).Sub(b.abs(), one)
	if hi.Sign() < 0 {
		return Point(zero)
	}
	if a.Lo.Sign() >= 0 {
		if b.Lo.Sign() > 0 && a.Hi.Cmp(b.Lo) < 0 {
			return a
		}
		hi = least(hi, a.Hi)
	}
	return Interval{zero, hi}
}

// maxShift is the largest distance that logic shifts by.
const maxShift = 128

// Shift returns bounds of logic's shifts.
func (a Interval) Shift(op logic.Op, d Interval) Interval {
	m, ok := d.Meet(Interval{zero, big.NewInt(maxShift)})
	if !ok {
		return Point(zero)
	}
	f := func(x, by *big.Int) *big.Int {
		if op == logic.OpShl {
			return new(big.Int).Lsh(x, uint(by.Int64()))
		}
		return new(big.Int).Rsh(x, uint(by.Int64()))
	}
	r := hull(f(a.Lo, m.Lo), f(a.Lo, m.Hi), f(a.Hi, m.Lo), f(a.Hi, m.Hi))
	if !m.Equal(d) {
		r = r.Join(Point(zero))
	}
	return r
}

// Bitwise returns bounds of a bitwise operator's results.
func (a Interval) Bitwise(op logic.Op, b Interval) Interval {
	n := max(a.Bits(), b.Bits())
	switch {
	case op == logic.OpBitAnd && a.Lo.Sign() >= 0 && b.Lo.Sign() >= 0:
		return Interval{zero, least(a.Hi, b.Hi)}
	case op == logic.OpBitAnd && a.Lo.Sign() >= 0:
		return Interval{zero, a.Hi}
	case op == logic.OpBitAnd && b.Lo.Sign() >= 0:
		return Interval{zero, b.Hi}
	case a.Lo.Sign() >= 0 && b.Lo.Sign() >= 0:
		return Unsigned(n - 1)
	}
	return Signed(n)
}
