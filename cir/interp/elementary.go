package interp

import (
	"math"
	"math/big"
	"sync"
)

// Elementary functions, rounded to nearest in nearly all cases: computed with bigBits bits. glibc's exp, log, pow,
// sin and the like are wrong in the last bit in a few of a thousand cases, Go's in one of ten.

const (
	bigBits = 200
	piBits  = 1400 // enough to reduce the largest float64
)

// num makes a big float.
func num(x float64) *big.Float { return new(big.Float).SetPrec(bigBits).SetFloat64(x) }

func newNum() *big.Float { return new(big.Float).SetPrec(bigBits) }

func add(x, y *big.Float) *big.Float { return newNum().Add(x, y) }
func sub(x, y *big.Float) *big.Float { return newNum().Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return newNum().Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return newNum().Quo(x, y) }
func sqrt(x *big.Float) *big.Float   { return newNum().Sqrt(x) }

// tiny reports whether x does not matter beside y.
func tiny(x, y *big.Float) bool {
	return x.Sign() == 0 || y.Sign() != 0 && x.MantExp(nil) < y.MantExp(nil)-bigBits
}

// constPi is pi, by Machin's formula; constLn2 is log 2 = 2 atanh(1/3).
var (
	constPi = sync.OnceValue(func() *big.Float {
		inverse := func(n int64, alternate bool) *big.Float { // atan or atanh of 1/n
			return series(n, alternate, piBits+20)
		}
		a, b := inverse(5, true), inverse(239, true)
		a.SetMantExp(a, 4)
		b.SetMantExp(b, 2)
		return a.Sub(a, b)
	})
	constLn2 = sync.OnceValue(func() *big.Float {
		l := series(3, false, 2*bigBits)
		return l.SetMantExp(l, 1)
	})
)

// series is the sum of (±1)^k / ((2k+1) n^(2k+1)).
func series(n int64, alternate bool, prec uint) *big.Float {
	f := func(v int64) *big.Float { return new(big.Float).SetPrec(prec).SetInt64(v) }
	p := f(1)
	p.Quo(p, f(n))
	sum, sq := f(0), f(n*n)
	for k := int64(0); p.MantExp(nil) > -int(prec)-10; k++ {
		term := f(0).Quo(p, f(2*k+1))
		if alternate && k%2 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
		p.Quo(p, sq)
	}
	return sum
}

// bigExp is e^x for |x| below 2^12.
func bigExp(x *big.Float) *big.Float {
	f, _ := x.Float64()
	k := math.Round(f / math.Ln2)
	r := sub(x, newNum().Mul(num(k), constLn2()))
	const halvings = 10
	r.SetMantExp(r, -halvings)
	sum, term := num(1), num(1)
	for n := 1.0; !tiny(term, sum); n++ {
		term = quo(mul(term, r), num(n))
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}

// bigLog is log x for x > 0.
func bigLog(x *big.Float) *big.Float {
	m := newNum()
	e := x.MantExp(m) // 0.5 <= m < 1
	f, _ := m.Float64()
	if f < 0.7 {
		m.SetMantExp(m, 1)
		f *= 2
		e--
	}
	y := num(math.Log(f))
	for range 2 {
		z := bigExp(y)
		d := quo(sub(m, z), add(m, z))
		y = add(y, d.SetMantExp(d, 1))
	}
	if e == 0 {
		return y
	}
	return add(y, newNum().Mul(num(float64(e)), constLn2()))
}

// bigSinCos is sin x and cos x.
func bigSinCos(x float64) (s, c *big.Float) {
	wide := new(big.Float).SetPrec(piBits).SetFloat64(x)
	q := new(big.Float).SetPrec(piBits).Quo(wide, half2(constPi()))
	q.Add(q, new(big.Float).SetFloat64(math.Copysign(0.5, x)))
	k, _ := q.Int(nil)
	r := newNum().Set(wide.Sub(wide, new(big.Float).SetPrec(piBits).Mul(new(big.Float).SetInt(k), half2(constPi()))))
	s, c = taylor(r, 1), taylor(r, 0)
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	case 3:
		return c.Neg(c), s
	}
	return s, c
}

func half2(x *big.Float) *big.Float { return new(big.Float).SetMantExp(x, -1) }

// taylor is sin r (from 1) or cos r (from 0).
func taylor(r *big.Float, from float64) *big.Float {
	term := num(1)
	if from == 1 {
		term = newNum().Set(r)
	}
	sum, sq := newNum().Set(term), mul(r, r)
	sq.Neg(sq)
	for n := from; !tiny(term, sum); n += 2 {
		term = quo(mul(term, sq), num((n+1)*(n+2)))
		sum = add(sum, term)
	}
	return sum
}

// bigAtan is atan(y/x) for y > 0 and x >= 0, which are no floats that overflow.
func bigAtan(y, x *big.Float) *big.Float {
	q := quo(y, add(x, y)) // of the order of the result; x+y > 0
	f, _ := q.Float64()
	guess := math.Atan2(f, 1-f)
	if guess < 1e-30 {
		return quo(y, x)
	}
	s, c := bigSinCos(guess)
	t := quo(sub(mul(y, c), mul(x, s)), add(mul(x, c), mul(y, s))) // tan of the rest
	cube := mul(mul(t, t), t)
	return add(num(guess), sub(t, quo(cube, num(3))))
}

// accurate returns the value of an elementary function of finite arguments whose result is finite and
// not 0; nil: it is left to somebody else.
func accurate(name string, x, y float64) *big.Float {
	X := num(x)
	switch name {
	case "exp":
		return bigExp(X)
	case "exp2":
		return bigExp(newNum().Mul(X, constLn2()))
	case "exp10":
		return bigExp(mul(X, bigLog(num(10))))
	case "log":
		return bigLog(X)
	case "log2":
		return quo(bigLog(X), constLn2())
	case "pow":
		return bigPow(x, y)
	case "hypot":
		return sqrt(wideSum(x, y))
	case "cbrt":
		r := num(math.Cbrt(x))
		for range 3 {
			r = sub(r, quo(sub(r, quo(X, mul(r, r))), num(3)))
		}
		return r
	}
	return accurateTrig(name, x, y)
}

// wideSum is x*x + y*y, not rounded so that it matters.
func wideSum(x, y float64) *big.Float {
	w := func(v float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(v) }
	a, b := w(x), w(y)
	a.Mul(a, a)
	return a.Add(a, b.Mul(b, b))
}

// accurateTrig is accurate for the trigonometric functions.
func accurateTrig(name string, x, y float64) *big.Float {
	one := num(1)
	X := num(math.Abs(x))
	sign := func(r *big.Float) *big.Float {
		if x < 0 {
			r.Neg(r)
		}
		return r
	}
	switch name {
	case "sin":
		s, _ := bigSinCos(x)
		return s
	case "cos":
		_, c := bigSinCos(x)
		return c
	case "tan":
		s, c := bigSinCos(x)
		return quo(s, c)
	case "atan":
		return sign(bigAtan(X, one))
	case "atan2": // of y and x
		r := bigAtan(X, num(math.Abs(y)))
		if y < 0 {
			r = sub(newNum().Set(constPi()), r)
		}
		return sign(r)
	case "asin":
		return sign(bigAtan(X, sqrt(mul(sub(one, X), add(one, X)))))
	case "acos":
		r := bigAtan(sqrt(sub(one, num(x))), sqrt(add(one, num(x))))
		return r.SetMantExp(r, 1)
	}
	return nil
}

// bigPow is x^y, exactly if y is a small natural number.
func bigPow(x, y float64) *big.Float {
	if n := int(y); float64(n) == y && n > 0 && n <= 64 {
		r := new(big.Float).SetPrec(53 * 64).SetInt64(1)
		for range n {
			r.Mul(r, new(big.Float).SetFloat64(x))
		}
		return r
	}
	r := bigExp(mul(num(y), bigLog(num(math.Abs(x)))))
	if x < 0 && math.Mod(y, 2) != 0 {
		r.Neg(r)
	}
	return r
}
