package valuecheck

import (
	"math/bits"

	"comus/cir"
)

// into puts results that were computed exactly into a type: they wrap around; or it is undefined that they do not fit, and no execution has them.
func (s set) into(t cir.Type, wraps bool) set {
	if !countable(t) || s.any {
		return full(t)
	}
	lo, hi := ends(t)
	l, h, ok := s.bounds()
	switch {
	case !ok || !l.less(lo) && !hi.less(h):
		return s
	case !wraps:
		return s.from(lo).to(hi)
	case !s.long:
		list := make([]num, len(s.list))
		for i, n := range s.list {
			list[i] = n.cut(t)
		}
		return these(list)
	}
	// All of it is moved by the same multiple of two to the power of the width, or wraps somewhere.
	if d := l.cut(t).minus(l); h.plus(d) == h.cut(t) {
		return between(l.plus(d), h.plus(d), s.step)
	}
	step := s.step & -s.step // what divides the width's power of two
	if t.Bits < 64 {
		step = min(step, 1<<t.Bits)
	}
	return between(lo.plus(large(l.minus(lo).lo&(step-1))), hi, step)
}

// exact returns the result of an operation on two numbers in infinite precision; defined is false where C gives it no meaning, ok where it is not computed.
func exact(op cir.Op, t cir.Type, x, y num) (n num, defined, ok bool) {
	switch op {
	case cir.Add:
		return x.plus(y), true, true
	case cir.Sub:
		return x.minus(y), true, true
	case cir.Mul:
		n, ok = x.times(y)
		return n, true, ok
	case cir.Div, cir.Rem:
		q, r, defined := x.divided(y)
		if op == cir.Rem {
			return r, defined, true
		}
		return q, defined, true
	case cir.And:
		return num{x.hi & y.hi, x.lo & y.lo}, true, true
	case cir.Or:
		return num{x.hi | y.hi, x.lo | y.lo}, true, true
	case cir.Xor:
		return num{x.hi ^ y.hi, x.lo ^ y.lo}, true, true
	case cir.Shl, cir.Shr:
		if y.sign() < 0 || !y.less(small(int64(t.Bits))) {
			return n, false, true
		}
		if op == cir.Shr {
			return x.right(uint(y.lo)), true, true
		}
		return large(x.lo << y.lo).cut(t), true, true // of a signed type, more than C defines
	}
	return n, true, false
}

// maxPairs bounds how many results are computed one by one.
const maxPairs = maxListed * maxListed

// binary returns the results of an operation on integers of a type.
func binary(op cir.Op, t cir.Type, x, y set, wraps bool) set {
	if x.empty() || y.empty() {
		return set{}
	}
	wraps = wraps || !t.Signed
	if x.any || y.any || !countable(t) {
		return full(t)
	}
	if !x.long && !y.long && len(x.list)*len(y.list) <= maxPairs {
		if s, ok := oneByOne(op, t, x.list, y.list, wraps); ok {
			return s
		}
		return full(t)
	}
	switch op {
	case cir.Add:
		return sum(x, y).into(t, wraps)
	case cir.Sub:
		return sum(x, negative(y)).into(t, wraps)
	case cir.Mul:
		return product(x, y).into(t, wraps)
	case cir.Div:
		return quotient(x, y).into(t, wraps)
	case cir.Rem:
		return remainder(x, y).and(full(t))
	case cir.And, cir.Or, cir.Xor:
		return bitwise(op, t, x, y)
	case cir.Shr:
		if d, one := y.only(); one && d.sign() >= 0 && d.less(small(int64(t.Bits))) {
			lo, hi, _ := x.bounds()
			return between(lo.right(uint(d.lo)), hi.right(uint(d.lo)), 1)
		}
		lo, hi, _ := x.bounds()
		return between(smaller(lo, num{}), greater(hi, num{}), 1) // nearer to zero, or -1
	case cir.Shl:
		if d, one := y.only(); one && d.sign() >= 0 && d.less(small(int64(t.Bits))) && d.less(small(63)) {
			return product(x, just(large(1<<d.lo))).into(t, true)
		}
	}
	return full(t)
}

func oneByOne(op cir.Op, t cir.Type, xs, ys []num, wraps bool) (set, bool) {
	var list []num
	for _, x := range xs {
		for _, y := range ys {
			n, defined, ok := exact(op, t, x, y)
			if !ok {
				return set{}, false
			}
			if w := n.cut(t); defined && (wraps || w == n) {
				list = append(list, w)
			}
		}
	}
	return these(list), true
}

// sum, negative and product are exact, or more.
func sum(x, y set) set {
	if x.any || y.any {
		return anything
	}
	xl, xh, ok1 := x.bounds()
	yl, yh, ok2 := y.bounds()
	if !ok1 || !ok2 {
		return set{}
	}
	return between(xl.plus(yl), xh.plus(yh), common(x.stepOf(), y.stepOf()))
}

func negative(x set) set {
	if x.long {
		return between(x.hi.neg(), x.lo.neg(), x.step)
	}
	list := make([]num, 0, len(x.list))
	for _, n := range x.list {
		list = append(list, n.neg())
	}
	if x.any {
		return x
	}
	return these(list)
}

func product(x, y set) set {
	xl, xh, ok1 := x.bounds()
	yl, yh, ok2 := y.bounds()
	if !ok1 || !ok2 {
		return x.orEmpty(y)
	}
	var lo, hi num
	for i, p := range [][2]num{{xl, yl}, {xl, yh}, {xh, yl}, {xh, yh}} {
		n, ok := p[0].times(p[1])
		if !ok {
			return anything
		}
		if i == 0 {
			lo, hi = n, n
		}
		lo, hi = smaller(lo, n), greater(hi, n)
	}
	step := uint64(1)
	if k, one := x.only(); one {
		step = scaled(y.stepOf(), k)
	} else if k, one := y.only(); one {
		step = scaled(x.stepOf(), k)
	}
	return between(lo, hi, max(step, 1))
}

// orEmpty returns what an operation gives of which an operand has no bounds.
func (s set) orEmpty(t set) set {
	if s.empty() || t.empty() {
		return set{}
	}
	return anything
}

// scaled is a step times a number, 1 if that is too much.
func scaled(step uint64, k num) uint64 {
	n, ok := k.size()
	hi, lo := bits.Mul64(step, n)
	if !ok || hi != 0 {
		return 1
	}
	return lo
}

// quotient is between those of the bounds, of positive and of negative divisors.
func quotient(x, y set) (all set) {
	xl, xh, ok := x.bounds()
	if !ok {
		return x
	}
	for _, part := range []set{y.to(small(-1)), y.from(small(1))} {
		yl, yh, ok := part.bounds()
		if !ok {
			continue
		}
		for _, p := range [][2]num{{xl, yl}, {xl, yh}, {xh, yl}, {xh, yh}} {
			q, _, ok := p[0].divided(p[1])
			if !ok {
				return anything
			}
			lo, hi, some := all.bounds()
			if !some {
				lo, hi = q, q
			}
			all = between(smaller(lo, q), greater(hi, q), 1)
		}
	}
	return all
}

// remainder is less than the divisor, no more than the dividend, and has its sign.
func remainder(x, y set) set {
	xl, xh, _ := x.bounds()
	yl, yh, _ := y.bounds()
	if k, one := y.only(); one && k.sign() > 0 && x.long && k.hi == 0 && x.step%k.lo == 0 && xl.sign() >= 0 {
		_, r, _ := xl.divided(k)
		return just(r)
	} else if one && k.sign() > 0 && x.long && k.hi == 0 && x.step%k.lo == 0 && multipleOf(xl, k) {
		return nought
	}
	if yl.sign() > 0 && xl.sign() >= 0 && xh.less(yl) {
		return x
	}
	most := greater(yh, yl.neg()).minus(small(1))
	if most.sign() < 0 {
		return set{} // by 0
	}
	lo, hi := num{}, num{}
	if xl.sign() < 0 {
		lo = greater(xl, most.neg())
	}
	if xh.sign() > 0 {
		hi = smaller(xh, most)
	}
	return between(lo, hi, 1)
}

// multipleOf reports whether a number is a multiple of another one.
func multipleOf(n, k num) bool {
	_, r, ok := n.divided(k)
	return ok && r == num{}
}

// bitwise says something where an operand is not negative.
func bitwise(op cir.Op, t cir.Type, x, y set) set {
	xl, xh, _ := x.bounds()
	yl, yh, _ := y.bounds()
	switch {
	case op == cir.And && xl.sign() >= 0 && yl.sign() >= 0:
		return between(num{}, smaller(xh, yh), 1)
	case op == cir.And && xl.sign() >= 0:
		return between(num{}, xh, 1)
	case op == cir.And && yl.sign() >= 0:
		return between(num{}, yh, 1)
	case op == cir.And || xl.sign() < 0 || yl.sign() < 0:
		return full(t)
	}
	lo := num{}
	if op == cir.Or {
		lo = greater(xl, yl)
	}
	n := bits.Len64(greater(xh, yh).lo)
	if n == 64 {
		return between(lo, large(^uint64(0)), 1).and(full(t))
	}
	return between(lo, large(1<<n-1), 1)
}

// unary returns the results of an operation on integers of a type.
func unary(op cir.Op, t cir.Type, x set, wraps bool) set {
	switch {
	case x.empty():
		return x
	case x.any || !countable(t):
		return full(t)
	}
	switch op {
	case cir.Neg:
		return negative(x).into(t, wraps || !t.Signed)
	case cir.Not:
		return sum(negative(x), just(small(-1))).into(t, true)
	case cir.Clz, cir.Ctz, cir.Popcount:
		return between(num{}, small(int64(t.Bits)), 1)
	}
	return full(t)
}

// compared returns what a comparison gives.
func compared(p cir.Pred, x, y set) set {
	xl, xh, ok1 := x.bounds()
	yl, yh, ok2 := y.bounds()
	switch {
	case x.empty() || y.empty():
		return set{}
	case !ok1 || !ok2:
		return truth
	}
	var always, never bool
	switch p {
	case cir.Eq, cir.Ne:
		a, one := x.only()
		b, other := y.only()
		always, never = one && other && a == b, x.and(y).empty()
		if p == cir.Ne {
			always, never = never, always
		}
	case cir.Lt:
		always, never = xh.less(yl), !xl.less(yh)
	case cir.Le:
		always, never = !yl.less(xh), yh.less(xl)
	case cir.Gt:
		always, never = yh.less(xl), !yl.less(xh)
	case cir.Ge:
		always, never = !xl.less(yh), xh.less(yl)
	}
	switch {
	case always:
		return unit
	case never:
		return nought
	}
	return truth
}

// opposite is the comparison that holds where p does not, turned the one with the operands exchanged.
var (
	opposite = map[cir.Pred]cir.Pred{cir.Eq: cir.Ne, cir.Ne: cir.Eq, cir.Lt: cir.Ge, cir.Ge: cir.Lt, cir.Gt: cir.Le, cir.Le: cir.Gt}
	turned   = map[cir.Pred]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Gt: cir.Lt, cir.Le: cir.Ge, cir.Ge: cir.Le}
)

// thatCompare returns the part of x that compares so to something in y, or more.
func thatCompare(p cir.Pred, x, y set) set {
	lo, hi, ok := y.bounds()
	if y.empty() {
		return set{}
	}
	if !ok || x.any {
		return x
	}
	switch p {
	case cir.Eq:
		return x.and(y)
	case cir.Ne:
		if n, one := y.only(); one {
			return x.but(n)
		}
	case cir.Lt:
		return x.to(hi.minus(small(1)))
	case cir.Le:
		return x.to(hi)
	case cir.Gt:
		return x.from(lo.plus(small(1)))
	case cir.Ge:
		return x.from(lo)
	}
	return x
}

// converted returns what values become that are converted between types of scalars.
func converted(x set, from, to cir.Type) set {
	switch {
	case x.empty():
		return x
	case !countable(to):
		return anything
	case !countable(from):
		return full(to)
	case to == cir.Bool:
		return compared(cir.Ne, x.ofType(from), nought)
	}
	x = x.ofType(from)
	if from.IsPointer() && to.Bits > from.Bits { // gcc extends addresses by their sign
		x = x.into(cir.Type{Kind: cir.IntKind, Bits: from.Bits, Signed: true}, true)
	}
	return x.into(to, true)
}

// sameBits returns values of one type as those of another one of the same size in memory.
func sameBits(x set, from, to cir.Type) set {
	switch {
	case x.empty() || from == to:
		return x.ofType(to)
	case !countable(from) || !countable(to):
		return full(to)
	case from.Bits%8 != 0 || to.Bits%8 != 0 || from.Bits != to.Bits: // truth values, and others that do not fill their bytes
		if x = x.ofType(from); x.within(full(to)) {
			return x
		}
		return full(to)
	}
	return x.ofType(from).into(to, true)
}
