package interp

import "math"

// Functions of <math.h> that glibc computes, as Go does, by the algorithms of Sun's fdlibm: here over an exp and a
// log that are rounded to nearest, which glibc's nearly always are. The conversions keep Go from
// fusing operations.

// rounded returns exp or log rounded to nearest.
func rounded(name string, x float64) float64 {
	r, _, _ := Math(name, x, 0, false)
	return r
}

func cosh(x, _ float64) float64 {
	x = math.Abs(x)
	switch {
	case x != x:
		return x
	case x < 0.5*math.Ln2:
		t := math.Expm1(x)
		w := 1 + t
		if x < 0x1p-55 {
			return w
		}
		return 1 + float64(t*t)/float64(w+w)
	case x < 22:
		t := rounded("exp", x)
		return float64(0.5*t) + float64(0.5/t)
	case x < 709.78:
		return 0.5 * rounded("exp", x)
	case x <= 710.4758600739439:
		w := rounded("exp", 0.5*x)
		return float64(0.5*w) * w
	}
	return math.Inf(1)
}

func sinh(x, _ float64) float64 {
	h, a := math.Copysign(0.5, x), math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x
	case a < 22:
		t := math.Expm1(a)
		if a < 1 {
			return h * float64(float64(2*t)-float64(t*t)/float64(t+1))
		}
		return h * float64(t+float64(t/float64(t+1)))
	case a < 709.78:
		return h * rounded("exp", a)
	case a <= 710.4758600739439:
		w := rounded("exp", 0.5*a)
		return float64(h*w) * w
	}
	return math.Copysign(math.Inf(1), x)
}

func tanh(x, _ float64) float64 {
	a, z := math.Abs(x), 1.0
	switch {
	case x == 0 || x != x:
		return x
	case a < 0x1p-55:
		return x * (1 + x)
	case a >= 22:
	case a >= 1:
		t := math.Expm1(2 * a)
		z = 1 - 2/float64(t+2)
	default:
		t := math.Expm1(-2 * a)
		z = -t / float64(t+2)
	}
	return math.Copysign(z, x)
}

func log10(x, _ float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0 || x != x:
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	k := 0
	if x < 0x1p-1022 {
		x *= 0x1p54
		k = -54
	}
	b := math.Float64bits(x)
	k += int(b>>52) - 1023
	i := 0
	if k < 0 {
		i = 1
	}
	m := math.Float64frombits(b&(1<<52-1) | uint64(0x3ff-i)<<52)
	y := float64(k + i)
	z := float64(y*3.69423907715893078616e-13) + float64(4.34294481903251816668e-01*rounded("log", m))
	return z + float64(y*3.01029995663611771306e-01)
}
