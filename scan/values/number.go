package values

import (
	"math/bits"

	"comus/cir"
)

// number is an integer. Those of C's types of at most 64 bits, and sums and products of two of them, fit.
type number struct {
	hi int64
	lo uint64
}

func numberOf(v int64) number   { return number{v >> 63, uint64(v)} }
func unsigned(v uint64) number  { return number{0, v} }
func (a number) negative() bool { return a.hi < 0 }

func (a number) cmp(b number) int {
	switch {
	case a.hi != b.hi && a.hi < b.hi, a.hi == b.hi && a.lo < b.lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

func (a number) add(b number) number {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return number{a.hi + b.hi + int64(carry), lo}
}

func (a number) neg() number {
	lo, carry := bits.Add64(^a.lo, 1, 0)
	return number{^a.hi + int64(carry), lo}
}

func (a number) sub(b number) number { return a.add(b.neg()) }

func least(a, b number) number {
	if a.cmp(b) <= 0 {
		return a
	}
	return b
}

func most(a, b number) number {
	if a.cmp(b) >= 0 {
		return a
	}
	return b
}

// abs returns the absolute value of a number of a type of at most 64 bits.
func (a number) abs() uint64 {
	if a.negative() {
		return a.neg().lo
	}
	return a.lo
}

// mul returns the product of two numbers of types of at most 64 bits, exact if it has less than 126 bits; otherwise its last 64
// bits are, and it is outside of all of these types.
func (a number) mul(b number) number {
	hi, lo := bits.Mul64(a.abs(), b.abs())
	if hi >= 1<<62 {
		hi = 1 << 61
	}
	p := number{int64(hi), lo}
	if a.negative() != b.negative() {
		return p.neg()
	}
	return p
}

// quo and rem divide as C does; b is not 0.
func (a number) quo(b number) number {
	q := unsigned(a.abs() / b.abs())
	if a.negative() != b.negative() {
		return q.neg()
	}
	return q
}

func (a number) rem(b number) number {
	r := unsigned(a.abs() % b.abs())
	if a.negative() {
		return r.neg()
	}
	return r
}

// shr is division by a power of two that rounds down.
func (a number) shr(n uint) number {
	if n == 0 {
		return a
	}
	return number{a.hi >> n, a.lo>>n | uint64(a.hi)<<(64-n)}
}

// power returns 2^n, n at most 64.
func power(n int) number {
	if n == 64 {
		return number{1, 0}
	}
	return unsigned(1 << uint(n))
}

// isNumber reports whether values of a type are numbers here: integers of at most 64 bits, and pointers, by their addresses.
func isNumber(t cir.Type) bool { return (t.IsInt() || t.IsPointer()) && t.Bits <= 64 }

// limits returns the least and the greatest number of a type.
func limits(t cir.Type) (lo, hi number) {
	if t.Signed {
		half := power(t.Bits - 1)
		return half.neg(), half.sub(numberOf(1))
	}
	return number{}, power(t.Bits).sub(numberOf(1))
}

// wrapped returns the number of a type that is equal to a modulo two to the power of its width.
func (a number) wrapped(t cir.Type) number {
	if t.Signed {
		s := uint(64 - t.Bits)
		return numberOf(int64(a.lo<<s) >> s)
	}
	s := uint(64 - t.Bits)
	return unsigned(a.lo << s >> s)
}

// constant returns the number of a constant of a type of at most 64 bits.
func constant(c cir.Int) number { return number{int64(c.Hi), c.Lo} }
