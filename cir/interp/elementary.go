package interp

import (
	"math"
	"math/big"
	"sync"
)

// Elementary functions, rounded to nearest in nearly all cases: they are computed with about 100 bits, as the sum of
// two float64. glibc's exp, log, pow, sin and the like are wrong in the last bit in about one of a thousand cases, Go's
// in one of ten.

// dd is the number hi+lo, |lo| at most half of hi's last bit.
type dd struct{ hi, lo float64 }

func ofFloat(x float64) dd { return dd{hi: x} }

// sum is a + b exactly.
func sum(a, b float64) dd {
	s := a + b
	v := s - a
	return dd{s, float64(a-(s-v)) + float64(b-v)}
}

// quick is a + b exactly if |a| >= |b|.
func quick(a, b float64) dd {
	s := a + b
	return dd{s, b - float64(s-a)}
}

// product is a * b exactly.
func product(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = quick(s.hi, s.lo+t.hi)
	return quick(s.hi, s.lo+t.lo)
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

func (a dd) mul(b dd) dd {
	p := product(a.hi, b.hi)
	return quick(p.hi, p.lo+float64(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.sub(b.mul(ofFloat(q)))
	p := r.hi / b.hi
	r = r.sub(b.mul(ofFloat(p)))
	return quick(q, p).add(ofFloat(r.hi / b.hi))
}

// scale is a * 2^n.
func (a dd) scale(n int) dd { return dd{math.Ldexp(a.hi, n), math.Ldexp(a.lo, n)} }

func (a dd) sqrt() dd {
	if a.hi <= 0 {
		return dd{}
	}
	s := math.Sqrt(a.hi)
	r := a.sub(product(s, s))
	return quick(s, r.hi/float64(2*s))
}

// parts are a constant as the sum of three float64.
type parts [3]float64

// ofBigFloat splits a number.
func ofBigFloat(x *big.Float) (p parts) {
	r := new(big.Float).Set(x)
	for i := range p {
		p[i], _ = r.Float64()
		r.Sub(r, new(big.Float).SetFloat64(p[i]))
	}
	return p
}

func (p parts) dd() dd { return dd{p[0], p[1]} }

// less is x - k*p.
func (p parts) less(x dd, k float64) dd {
	for _, c := range p {
		x = x.sub(product(k, c))
	}
	return x
}

// Constants. The series are Machin's for pi, and log 2 = 2 atanh(1/3), log 10 = 3 log 2 + 2 atanh(1/9).
const wideBits = 1400 // enough to reduce the largest float64

// constants are what the functions need, computed when one of them is first called.
type constants struct {
	pi                *big.Float
	halfPi, ln2, ln10 parts
	inverse           [32]dd // 1/n!
}

var known = sync.OnceValue(func() *constants {
	pi, log2 := machin(), twice(atanh(3, false))
	log10 := new(big.Float).Mul(log2, big.NewFloat(3))
	log10.Add(log10, twice(atanh(9, false)))
	return &constants{pi, ofBigFloat(new(big.Float).SetMantExp(pi, -1)), ofBigFloat(log2), ofBigFloat(log10), factorials()}
})

func machin() *big.Float {
	a, b := atanh(5, true), atanh(239, true)
	return a.Sub(a.SetMantExp(a, 4), b.SetMantExp(b, 2))
}

func twice(x *big.Float) *big.Float { return x.SetMantExp(x, 1) }

// atanh is atanh(1/n), or, with alternating signs, atan(1/n).
func atanh(n int64, alternate bool) *big.Float {
	f := func(v int64) *big.Float { return new(big.Float).SetPrec(wideBits + 20).SetInt64(v) }
	p := f(1)
	p.Quo(p, f(n))
	s, sq := f(0), f(n*n)
	for k := int64(0); p.MantExp(nil) > -wideBits-30; k++ {
		term := f(0).Quo(p, f(2*k+1))
		if alternate && k%2 == 1 {
			term.Neg(term)
		}
		s.Add(s, term)
		p.Quo(p, sq)
	}
	return s
}

// factorials are 1/n!.
func factorials() (all [32]dd) {
	f := new(big.Float).SetPrec(200).SetInt64(1)
	for n := range all {
		if n > 0 {
			f.Quo(f, new(big.Float).SetInt64(int64(n)))
		}
		all[n] = ofBigFloat(f).dd()
	}
	return all
}

// expOf is e^x.
func expOf(x dd) dd {
	k := math.Round(x.hi / math.Ln2)
	r := known().ln2.less(x, k)
	const halvings = 9
	r = r.scale(-halvings)
	inverse := &known().inverse
	p := inverse[10]
	for n := 9; n >= 1; n-- {
		p = p.mul(r).add(inverse[n])
	}
	p = p.mul(r) // e^r - 1
	for range halvings {
		p = p.scale(1).add(p.mul(p))
	}
	return p.add(ofFloat(1)).scale(int(k))
}

// logOf is log x for x > 0.
func logOf(x float64) dd {
	m, e := math.Frexp(x)
	if m < 0.7 {
		m *= 2
		e--
	}
	var y dd
	if math.Abs(m-1) < 1.0/64 { // 2 atanh((m-1)/(m+1))
		z := ofFloat(m - 1).div(sum(m, 1))
		sq := z.mul(z)
		p := ofFloat(0)
		for n := 19.0; n >= 1; n -= 2 {
			p = p.mul(sq).add(ofFloat(1).div(ofFloat(n)))
		}
		y = p.mul(z).scale(1)
	} else {
		g := math.Log(m)
		d := expOf(ofFloat(-g)).mul(ofFloat(m)).sub(ofFloat(1)) // log m = g + log(1+d)
		y = ofFloat(g).add(d.sub(d.mul(d).scale(-1)))
	}
	return known().ln2.less(y, float64(-e))
}

// sinCos is sin x and cos x.
func sinCos(x float64) (s, c dd) {
	r, k := ofFloat(x), int64(0)
	switch a := math.Abs(x); {
	case a <= math.Pi/4:
	case a < 1<<30:
		n := math.Round(x / (math.Pi / 2))
		r, k = known().halfPi.less(r, n), int64(n)&3
	default:
		r, k = reduced(x)
	}
	s, c = taylor(r, 1), taylor(r, 0)
	switch k {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

// reduced is a large x less a multiple of pi/2, and the number of the quadrant.
func reduced(x float64) (dd, int64) {
	wide := func() *big.Float { return new(big.Float).SetPrec(wideBits) }
	p := wide().SetMantExp(known().pi, -1)
	v := wide().SetFloat64(x)
	q := wide().Quo(v, p)
	q.Add(q, new(big.Float).SetFloat64(math.Copysign(0.5, x)))
	k, _ := q.Int(nil)
	v.Sub(v, p.Mul(p, wide().SetInt(k)))
	return ofBigFloat(v).dd(), new(big.Int).And(k, big.NewInt(3)).Int64()
}

// taylor is sin r (from 1) or cos r (from 0), for |r| up to pi/4.
func taylor(r dd, from int) dd {
	sq := r.mul(r).neg()
	p, inverse := ofFloat(0), &known().inverse
	for n := 26 + from; n >= from; n -= 2 {
		p = p.mul(sq).add(inverse[n])
	}
	if from == 1 {
		return p.mul(r)
	}
	return p
}

// atanOf is atan(y/x) for y >= 0 and x >= 0, of which none is tiny beside the other.
func atanOf(y, x dd) dd {
	g := math.Atan2(y.hi, x.hi)
	s, c := sinCos(g)
	t := y.mul(c).sub(x.mul(s)).div(x.mul(c).add(y.mul(s))) // tan of what is missing
	return ofFloat(g).add(t)
}

// accurate returns the value of an elementary function of finite arguments whose result is finite and
// neither 0 nor tiny, and whether it is one of them.
func accurate(name string, x, y float64) (float64, bool) {
	r, ok := dd{}, true
	switch name {
	case "exp":
		r = expOf(ofFloat(x))
	case "exp2":
		r = expOf(known().ln2.dd().mul(ofFloat(x)))
	case "exp10":
		r = expOf(known().ln10.dd().mul(ofFloat(x)))
	case "log":
		r = logOf(x)
	case "log2":
		r = logOf(x).div(known().ln2.dd())
	case "sin":
		r, _ = sinCos(x)
	case "cos":
		_, r = sinCos(x)
	case "tan":
		s, c := sinCos(x)
		r = s.div(c)
	case "atan":
		return atan2Of(x, 1), true
	case "atan2":
		return atan2Of(x, y), true
	case "asin":
		if math.Abs(x) < 0x1p-27 {
			return 0, false
		}
		r = atanOf(ofFloat(math.Abs(x)), sum(1, -x).mul(sum(1, x)).sqrt())
		return math.Copysign(r.hi, x), true
	case "acos":
		r = atanOf(sum(1, -x).sqrt(), sum(1, x).sqrt()).scale(1)
	case "pow":
		return powOf(x, y), true
	case "hypot":
		_, e := math.Frexp(max(math.Abs(x), math.Abs(y)))
		a, b := math.Ldexp(x, -e), math.Ldexp(y, -e)
		r = product(a, a).add(product(b, b)).sqrt().scale(e)
	case "cbrt":
		m, e := math.Frexp(x)
		m, e = math.Ldexp(m, (e%3+3)%3), e-(e%3+3)%3
		g := math.Cbrt(m)
		d := product(g, g).mul(ofFloat(g)).sub(ofFloat(m))
		r = ofFloat(g).sub(d.div(product(3*g, g))).scale(e / 3)
	default:
		ok = false
	}
	return r.hi, ok
}

// atan2Of is atan2(y, x), of finite numbers that are not 0.
func atan2Of(y, x float64) float64 {
	a, b := math.Abs(y), math.Abs(x)
	_, e := math.Frexp(max(a, b))
	a, b = math.Ldexp(a, -e), math.Ldexp(b, -e)
	if a < 0x1p-60 || b < 0x1p-60 {
		return math.Atan2(y, x)
	}
	r := atanOf(ofFloat(a), ofFloat(b))
	if x < 0 {
		r = known().halfPi.dd().scale(1).sub(r)
	}
	return math.Copysign(r.hi, y)
}

// powOf is x^y. It is computed exactly where it may be in the middle between two numbers: x has few bits, and y
// is a small natural number.
func powOf(x, y float64) float64 {
	if n := int(y); float64(n) == y && n > 0 && n <= 64 {
		m := math.Float64bits(x)&(1<<52-1) | 1<<52
		for m&1 == 0 {
			m >>= 1
		}
		if math.Log2(float64(m))*y < 60 {
			r := new(big.Float).SetPrec(200).SetInt64(1)
			for range n {
				r.Mul(r, new(big.Float).SetFloat64(x))
			}
			f, _ := r.Float64()
			return f
		}
	}
	r := expOf(logOf(math.Abs(x)).mul(ofFloat(y))).hi
	if x < 0 && math.Mod(y, 2) != 0 {
		r = -r
	}
	return r
}
