package zones

import "math"

// Linear is a sum of variables with coefficients, and a constant. It has a coefficient for each variable.
type Linear struct {
	Coef []int64
	C    int64
}

// Variable returns the i-th of n variables, plus a constant; Constant a constant.
func Variable(n, i int, c int64) Linear {
	f := Constant(n, c)
	f.Coef[i] = 1
	return f
}

// Constant is described at [Variable].
func Constant(n int, c int64) Linear { return Linear{make([]int64, n), c} }

// maxNumber bounds coefficients and constants: products of two of them, and sums of a few of these, fit.
const maxNumber = 1 << 30

// plus returns f + k*g; ok is false if a number gets too large.
func (f Linear) plus(k int64, g Linear) (h Linear, ok bool) {
	h = Linear{make([]int64, len(f.Coef)), 0}
	for i := range f.Coef {
		if h.Coef[i], ok = mulAdd(f.Coef[i], k, g.Coef[i]); !ok || !small(h.Coef[i]) {
			return h, false
		}
	}
	h.C, ok = mulAdd(f.C, k, g.C)
	return h, ok && h.C > -maxBound && h.C < maxBound
}

func small(a int64) bool { return a >= -maxNumber && a <= maxNumber }

// mulAdd returns a + k*b; ok is false if that does not fit.
func mulAdd(a, k, b int64) (c int64, ok bool) {
	if k == 0 || b == 0 {
		return a, true
	}
	p := k * b
	if p/k != b || k == -1 && b == math.MinInt64 {
		return 0, false
	}
	c = a + p
	return c, (c > a) == (p > 0)
}

// minus returns -f.
func (f Linear) minus() Linear {
	g := Linear{make([]int64, len(f.Coef)), -f.C}
	for i, a := range f.Coef {
		g.Coef[i] = -a
	}
	return g
}

// tooLarge reports whether f is none to compute with.
func (f Linear) tooLarge() bool {
	for _, a := range f.Coef {
		if !small(a) {
			return true
		}
	}
	return f.C <= -maxBound || f.C >= maxBound
}

// Of returns the sum of some values.
func (f Linear) Of(v []int64) int64 {
	sum := f.C
	for i, a := range f.Coef {
		sum += a * v[i]
	}
	return sum
}
