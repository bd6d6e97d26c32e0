package values

import (
	"math/bits"

	"comus/cir"
)

// fit puts results that were computed in infinite precision into a type: they wrap around, or it is undefined that they do not fit, so that
// those that do not are none of the program's.
func (v Value) fit(t cir.Type, wrap bool) Value {
	switch {
	case !isNumber(t):
		return top
	case v.kind == anything:
		return all(t)
	case v.kind == empty:
		return v
	}
	lo, hi := limits(t)
	if lo.cmp(v.lo) <= 0 && v.hi.cmp(hi) <= 0 {
		return v
	}
	if !wrap {
		return v.from(lo).upTo(hi)
	}
	if v.list != nil {
		list := make([]number, len(v.list))
		for i, n := range v.list {
			list[i] = n.wrapped(t)
		}
		return listed(list)
	}
	// If both ends are in the same turn, all is.
	if d := v.hi.sub(v.lo); d.cmp(power(t.Bits)) < 0 && v.lo.wrapped(t).add(d) == v.hi.wrapped(t) {
		return span(v.lo.wrapped(t), v.hi.wrapped(t), v.step)
	}
	step := v.step & -v.step
	if t.Bits < 64 && step >= 1<<t.Bits {
		step = 1 << t.Bits
	}
	r := number{}
	if step > 1 {
		r = unsigned((v.lo.lo - lo.lo) & (step - 1))
	}
	return span(lo.add(r), hi, max(step, 1))
}

// binary returns what an operation on integers of a type gives. wrap tells that signed overflow wraps around.
func binary(op cir.Op, t cir.Type, x, y Value, wrap bool) Value {
	if !isNumber(t) {
		return top
	}
	if x.kind == empty || y.kind == empty {
		return Value{}
	}
	wrap = wrap || !t.Signed
	if x.list != nil && y.list != nil {
		return pointwise(op, t, x.list, y.list, wrap)
	}
	switch op {
	case cir.Add:
		return sum(x, y).fit(t, wrap)
	case cir.Sub:
		return sum(x, minus(y)).fit(t, wrap)
	case cir.Mul:
		return product(x, y).fit(t, wrap)
	case cir.Div:
		return quotient(x, y).fit(t, wrap)
	case cir.Rem:
		return remainder(x, y).fit(t, wrap)
	case cir.And, cir.Or, cir.Xor:
		return bitwise(op, t, x, y)
	case cir.Shl, cir.Shr:
		return shifted(op, t, x, y)
	}
	return all(t)
}

// pointwise computes all results of few operands.
func pointwise(op cir.Op, t cir.Type, xs, ys []number, wrap bool) Value {
	list := make([]number, 0, len(xs)*len(ys))
	for _, x := range xs {
		for _, y := range ys {
			if n, defined := compute(op, t, x, y, wrap); defined {
				list = append(list, n)
			}
		}
	}
	return listed(list)
}

// compute returns the result for two numbers; it may be undefined.
func compute(op cir.Op, t cir.Type, x, y number, wrap bool) (n number, defined bool) {
	switch op {
	case cir.Add:
		n = x.add(y)
	case cir.Sub:
		n = x.sub(y)
	case cir.Mul:
		n = x.mul(y)
	case cir.Div, cir.Rem:
		if y == (number{}) {
			return n, false
		}
		if n = x.quo(y); op == cir.Rem {
			n = x.rem(y)
		}
	case cir.And:
		n = number{x.hi & y.hi, x.lo & y.lo}
	case cir.Or:
		n = number{x.hi | y.hi, x.lo | y.lo}
	case cir.Xor:
		n = number{x.hi ^ y.hi, x.lo ^ y.lo}
	case cir.Shl, cir.Shr:
		if y.negative() || y.cmp(numberOf(int64(t.Bits))) >= 0 {
			return n, false
		}
		if op == cir.Shr {
			return x.shr(uint(y.lo)), true
		}
		return number{0, x.lo << y.lo}.wrapped(t), true
	}
	w := n.wrapped(t)
	return w, wrap || w == n
}

func sum(x, y Value) Value {
	switch {
	case x.kind == empty || y.kind == empty:
		return Value{}
	case x.kind == anything || y.kind == anything:
		return top
	}
	return span(x.lo.add(y.lo), x.hi.add(y.hi), gcd(x.step, y.step))
}

func minus(x Value) Value {
	if x.kind != some {
		return x
	}
	if x.list != nil {
		list := make([]number, len(x.list))
		for i, n := range x.list {
			list[i] = n.neg()
		}
		return listed(list)
	}
	return span(x.hi.neg(), x.lo.neg(), x.step)
}

func product(x, y Value) Value {
	switch {
	case x.kind == empty || y.kind == empty:
		return Value{}
	case x.kind == anything || y.kind == anything:
		return top
	}
	if y.list == nil || len(y.list) > 1 {
		x, y = y, x
	}
	if h, _ := bits.Mul64(max(x.lo.abs(), x.hi.abs()), max(y.lo.abs(), y.hi.abs())); h >= 1<<60 {
		return top
	}
	lo, hi := corners(x, y, number.mul)
	step := uint64(1)
	if len(y.list) == 1 { // by a constant
		if h, l := bits.Mul64(max(x.step, 1), y.lo.abs()); h == 0 {
			step = l
		}
	}
	if width := hi.sub(lo); width.hi != 0 { // too far apart for steps
		step &= -step
	}
	return span(lo, hi, step)
}

// corners returns the least and the greatest result of a monotonic operation.
func corners(x, y Value, op func(a, b number) number) (lo, hi number) {
	lo = op(x.lo, y.lo)
	hi = lo
	for _, n := range []number{op(x.lo, y.hi), op(x.hi, y.lo), op(x.hi, y.hi)} {
		lo, hi = least(lo, n), most(hi, n)
	}
	return lo, hi
}

// quotient divides; by 0 is undefined.
func quotient(x, y Value) Value {
	var v Value
	for _, d := range []Value{y.upTo(numberOf(-1)), y.from(numberOf(1))} {
		if d.kind == some {
			lo, hi := corners(x, d, number.quo)
			v = v.join(span(lo, hi, 1))
		}
	}
	return v
}

// remainder has the sign of the dividend, and is less than the divisor.
func remainder(x, y Value) Value {
	limit := most(y.lo, y.hi)
	limit = most(limit, y.lo.neg()).sub(numberOf(1))
	if limit.negative() {
		return Value{} // by 0
	}
	if d := y.lo.abs(); y.lo == y.hi && x.step > 0 && x.step%d == 0 { // all leave what the first one leaves
		if r := x.lo.rem(y.lo); r == (number{}) || !x.lo.negative() {
			return single(r)
		}
	}
	if nearest := y.without(number{}); nearest.kind == some && !y.has(number{}) && !y.lo.negative() && !x.lo.negative() && x.hi.cmp(nearest.lo) < 0 {
		return x
	}
	lo, hi := number{}, number{}
	if x.lo.negative() {
		lo = most(x.lo, limit.neg())
	}
	if !x.hi.negative() {
		hi = least(x.hi, limit)
	}
	return span(lo, hi, 1)
}

// multiples returns the multiples of n, which is positive, that are in v, or more.
func (v Value) multiples(n number) Value {
	switch {
	case v.kind != some:
		return v
	case v.list != nil:
		return v.keep(func(x number) bool { return x.rem(n) == number{} })
	case n.lo%max(v.step, 1) != 0: // what is known of steps says something else
		return v
	}
	lo, hi := v.lo.sub(v.lo.rem(n)), v.hi.sub(v.hi.rem(n)) // towards zero
	if lo.cmp(v.lo) < 0 {
		lo = lo.add(n)
	}
	if hi.cmp(v.hi) > 0 {
		hi = hi.sub(n)
	}
	return span(lo, hi, n.lo)
}

// bitwise is about operands that are not negative, where it says something.
func bitwise(op cir.Op, t cir.Type, x, y Value) Value {
	switch {
	case op == cir.And && !x.lo.negative() && !y.lo.negative():
		return span(number{}, least(x.hi, y.hi), 1)
	case op == cir.And && !x.lo.negative():
		return span(number{}, x.hi, 1)
	case op == cir.And && !y.lo.negative():
		return span(number{}, y.hi, 1)
	case x.lo.negative() || y.lo.negative() || op == cir.And:
		return all(t)
	}
	n := bits.Len64(most(x.hi, y.hi).lo)
	lo := number{}
	if op == cir.Or {
		lo = most(x.lo, y.lo)
	}
	return span(lo, power(n).sub(numberOf(1)), 1)
}

// shifted is about distances that are defined.
func shifted(op cir.Op, t cir.Type, x, y Value) Value {
	y = y.from(number{}).upTo(numberOf(int64(t.Bits - 1)))
	if y.kind == empty {
		return y
	}
	shift := func(a, b number) number { return a.shr(uint(b.lo)) }
	if op == cir.Shr {
		lo, hi := corners(x, y, shift)
		return span(lo, hi, 1)
	}
	if len(y.list) != 1 {
		return all(t)
	}
	return product(x, single(power(int(y.lo.lo)))).fit(t, true)
}

// unary returns what an operation on an integer gives.
func unary(op cir.Op, t cir.Type, x Value, wrap bool) Value {
	switch {
	case !isNumber(t):
		return top
	case x.kind == empty:
		return x
	}
	switch op {
	case cir.Neg:
		return minus(x).fit(t, wrap || !t.Signed)
	case cir.Not:
		return sum(minus(x), single(numberOf(-1))).fit(t, true)
	case cir.Clz, cir.Ctz:
		return span(number{}, numberOf(int64(t.Bits)), 1)
	case cir.Popcount:
		return span(number{}, numberOf(int64(t.Bits)), 1)
	}
	return all(t)
}

// compare returns what a comparison of numbers gives.
func compare(p cir.Pred, x, y Value) Value {
	if x.kind == empty || y.kind == empty {
		return Value{}
	}
	if x.kind != some || y.kind != some {
		return boolean
	}
	var yes, no bool
	switch p {
	case cir.Eq, cir.Ne:
		yes = len(x.list) == 1 && len(y.list) == 1 && x.lo == y.lo
		no = x.meet(y).kind == empty
		if p == cir.Ne {
			yes, no = no, yes
		}
	case cir.Lt:
		yes, no = x.hi.cmp(y.lo) < 0, x.lo.cmp(y.hi) >= 0
	case cir.Le:
		yes, no = x.hi.cmp(y.lo) <= 0, x.lo.cmp(y.hi) > 0
	case cir.Gt:
		yes, no = x.lo.cmp(y.hi) > 0, x.hi.cmp(y.lo) <= 0
	case cir.Ge:
		yes, no = x.lo.cmp(y.hi) >= 0, x.hi.cmp(y.lo) < 0
	}
	switch {
	case yes:
		return one
	case no:
		return zero
	}
	return boolean
}

// negated is the comparison that holds where p does not, of numbers.
var negated = [...]cir.Pred{cir.Eq: cir.Ne, cir.Ne: cir.Eq, cir.Lt: cir.Ge, cir.Le: cir.Gt, cir.Gt: cir.Le, cir.Ge: cir.Lt}

// mirrored is the comparison with the operands exchanged.
var mirrored = [...]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Le: cir.Ge, cir.Gt: cir.Lt, cir.Ge: cir.Le}

// such returns the part of x that compares so to something in y.
func such(p cir.Pred, x, y Value) Value {
	if x.kind != some || y.kind != some {
		return x
	}
	switch p {
	case cir.Eq:
		return x.meet(y)
	case cir.Ne:
		if len(y.list) == 1 {
			return x.without(y.lo)
		}
	case cir.Lt:
		return x.upTo(y.hi.sub(numberOf(1)))
	case cir.Le:
		return x.upTo(y.hi)
	case cir.Gt:
		return x.from(y.lo.add(numberOf(1)))
	case cir.Ge:
		return x.from(y.lo)
	}
	return x
}

// convert converts a value between types of scalars.
func convert(v Value, from, to cir.Type) Value {
	switch {
	case v.kind == empty:
		return v
	case !isNumber(to):
		return top
	case !isNumber(from):
		return all(to)
	case to == cir.Bool:
		return compare(cir.Ne, v.of(from), zero)
	}
	v = v.of(from)
	if from.IsPointer() && to.Bits > from.Bits { // gcc extends addresses by their sign
		v = v.fit(cir.Type{Kind: cir.IntKind, Bits: from.Bits, Signed: true}, true)
	}
	return v.fit(to, true)
}
