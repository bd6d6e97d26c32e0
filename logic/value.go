package logic

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"unique"
)

// Value is an integer of any size. The zero Value is 0. Values are comparable
// with == because every integer has one representation only: small ones are
// kept in the struct, larger ones as the unique copy of their decimal string: so a
// Value takes two words only.
//
// Truth values are the integers 0 and 1.
type Value struct {
	small int64
	big   unique.Handle[string] // decimal digits; only when the integer does not fit an int64
}

// isSmall reports whether the integer fits an int64.
func (v Value) isSmall() bool { return v.big == unique.Handle[string]{} }

// IntValue returns v as a Value.
func IntValue(v int64) Value { return Value{small: v} }

// BoolValue returns 1 for true and 0 for false.
func BoolValue(b bool) Value {
	if b {
		return Value{small: 1}
	}
	return Value{}
}

// BigValue returns v as a Value; v is not kept.
func BigValue(v *big.Int) Value {
	if v.IsInt64() {
		return Value{small: v.Int64()}
	}
	return Value{big: unique.Make(v.String())}
}

// ParseValue reads a decimal integer with an optional minus sign.
func ParseValue(s string) (Value, bool) {
	b, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return Value{}, false
	}
	return BigValue(b), true
}

// Int64 returns v and whether it fits an int64.
func (v Value) Int64() (int64, bool) { return v.small, v.isSmall() }

// Big returns v as a new big.Int.
func (v Value) Big() *big.Int {
	if v.isSmall() {
		return big.NewInt(v.small)
	}
	b, _ := new(big.Int).SetString(v.big.Value(), 10)
	return b
}

// String returns v in decimal.
func (v Value) String() string {
	if v.isSmall() {
		return strconv.FormatInt(v.small, 10)
	}
	return v.big.Value()
}

// Bool reports whether v is not zero.
func (v Value) Bool() bool { return v != Value{} }

// Sign returns -1, 0 or 1.
func (v Value) Sign() int {
	if v.isSmall() {
		switch {
		case v.small < 0:
			return -1
		case v.small > 0:
			return 1
		}
		return 0
	}
	if v.big.Value()[0] == '-' {
		return -1
	}
	return 1
}

// Cmp compares v and w: -1, 0 or 1.
func (v Value) Cmp(w Value) int {
	if v.isSmall() && w.isSmall() {
		switch {
		case v.small < w.small:
			return -1
		case v.small > w.small:
			return 1
		}
		return 0
	}
	return v.Big().Cmp(w.Big())
}

// Add returns v + w.
func (v Value) Add(w Value) Value {
	if v.isSmall() && w.isSmall() {
		s := v.small + w.small
		if (s > v.small) == (w.small > 0) {
			return Value{small: s}
		}
	}
	return BigValue(new(big.Int).Add(v.Big(), w.Big()))
}

// Neg returns -v.
func (v Value) Neg() Value {
	if v.isSmall() && v.small != math.MinInt64 {
		return Value{small: -v.small}
	}
	return BigValue(new(big.Int).Neg(v.Big()))
}

// Sub returns v - w.
func (v Value) Sub(w Value) Value { return v.Add(w.Neg()) }

// Mul returns v · w.
func (v Value) Mul(w Value) Value {
	if v.isSmall() && w.isSmall() {
		hi, lo := bits.Mul64(uint64(abs64(v.small)), uint64(abs64(w.small)))
		if hi == 0 && lo <= math.MaxInt64 && v.small != math.MinInt64 && w.small != math.MinInt64 {
			if (v.small < 0) != (w.small < 0) {
				return Value{small: -int64(lo)}
			}
			return Value{small: int64(lo)}
		}
	}
	return BigValue(new(big.Int).Mul(v.Big(), w.Big()))
}

func abs64(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// DivMod returns the quotient and remainder of Euclidean division, SMT-LIB's
// div and mod: the remainder is never negative. w must not be zero.
func (v Value) DivMod(w Value) (q, r Value) {
	if v.isSmall() && w.isSmall() && v.small >= 0 && w.small > 0 {
		return Value{small: v.small / w.small}, Value{small: v.small % w.small}
	}
	bq, br := new(big.Int).DivMod(v.Big(), w.Big(), new(big.Int))
	return BigValue(bq), BigValue(br)
}

// bitwise applies a two's complement operation of unbounded width.
func bitwise(op Op, v, w Value) Value {
	a, b, r := v.Big(), w.Big(), new(big.Int)
	switch op {
	case OpBitAnd:
		r.And(a, b)
	case OpBitOr:
		r.Or(a, b)
	default:
		r.Xor(a, b)
	}
	return BigValue(r)
}

// maxShift bounds the shift distance that is computed; C leaves distances from
// 64 on undefined.
const maxShift = 128

// shift returns v·2^w (left) or ⌊v / 2^w⌋; a negative or huge distance yields 0.
func shift(op Op, v, w Value) Value {
	d, ok := w.Int64()
	if !ok || d < 0 || d > maxShift {
		return Value{}
	}
	if op == OpShl {
		return BigValue(new(big.Int).Lsh(v.Big(), uint(d)))
	}
	return BigValue(new(big.Int).Rsh(v.Big(), uint(d)))
}
