package valuecheck

import (
	"fmt"
	"math/bits"
	"strconv"

	"comus/cir"
)

// num is an integer of 128 bits, in two's complement. All numbers of C's types of at most 64 bits are far within, and their sums and differences.
type num struct {
	hi int64
	lo uint64
}

func small(v int64) num  { return num{v >> 63, uint64(v)} }
func large(v uint64) num { return num{0, v} }

func (a num) less(b num) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a num) plus(b num) num {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return num{a.hi + b.hi + int64(carry), lo}
}

func (a num) neg() num {
	lo, carry := bits.Add64(^a.lo, 1, 0)
	return num{^a.hi + int64(carry), lo}
}

func (a num) minus(b num) num { return a.plus(b.neg()) }

func (a num) sign() int {
	switch {
	case a.hi < 0:
		return -1
	case a == num{}:
		return 0
	}
	return 1
}

// size is the absolute value of a number of a type; ok is false if it has more than 64 bits.
func (a num) size() (n uint64, ok bool) {
	if a.hi < 0 {
		a = a.neg()
	}
	return a.lo, a.hi == 0
}

// times multiplies; ok is false if the product may not fit.
func (a num) times(b num) (num, bool) {
	x, ok1 := a.size()
	y, ok2 := b.size()
	hi, lo := bits.Mul64(x, y)
	p := num{int64(hi), lo}
	if !ok1 || !ok2 || hi >= 1<<62 {
		return p, false
	}
	if a.sign()*b.sign() < 0 {
		p = p.neg()
	}
	return p, true
}

// divided returns quotient and remainder, as C has it: towards zero, the remainder with the sign of the dividend. ok is false if that is not
// defined.
func (a num) divided(b num) (q, r num, ok bool) {
	x, ok1 := a.size()
	y, ok2 := b.size()
	if !ok1 || !ok2 || y == 0 {
		return q, r, false
	}
	q, r = large(x/y), large(x%y)
	if a.sign()*b.sign() < 0 {
		q = q.neg()
	}
	if a.sign() < 0 {
		r = r.neg()
	}
	return q, r, true
}

// right is a shift to the right that keeps the sign, by less than 64.
func (a num) right(n uint) num {
	if n == 0 {
		return a
	}
	return num{a.hi >> n, a.lo>>n | uint64(a.hi)<<(64-n)}
}

func smaller(a, b num) num {
	if b.less(a) {
		return b
	}
	return a
}

func greater(a, b num) num {
	if a.less(b) {
		return b
	}
	return a
}

// countable reports whether values of a type are numbers: integers of at most 64 bits, and pointers, which are their addresses.
func countable(t cir.Type) bool { return (t.IsInt() || t.IsPointer()) && t.Bits >= 1 && t.Bits <= 64 }

// ends returns the least and the greatest number of a type.
func ends(t cir.Type) (lo, hi num) {
	one := large(1)
	if t.Signed {
		half := large(1 << (t.Bits - 1))
		return half.neg(), half.minus(one)
	}
	if t.Bits == 64 {
		return num{}, large(^uint64(0))
	}
	return num{}, large(1<<t.Bits - 1)
}

// cut returns the number of a type with the same last bits.
func (a num) cut(t cir.Type) num {
	s := uint(64 - t.Bits)
	if t.Signed {
		return small(int64(a.lo<<s) >> s)
	}
	return large(a.lo << s >> s)
}

// numOf returns the number of a constant.
func numOf(c cir.Int) num { return num{int64(c.Hi), c.Lo} }

// readNum reads a number of a type of at most 64 bits.
func readNum(s string) (num, error) {
	if len(s) > 0 && s[0] == '-' {
		n, err := strconv.ParseInt(s, 10, 64)
		return small(n), err
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return large(n), err
}

// String writes a number of at most 64 bits.
func (a num) String() string {
	n, _ := a.size()
	if a.sign() < 0 {
		return fmt.Sprintf("-%d", n)
	}
	return fmt.Sprint(n)
}
