package zones

import (
	"math"
	"slices"
)

// zone is a conjunction of bounds of differences of n variables and of 0: a matrix whose entry i, j bounds v_i - v_j from above, where v_0 is 0
// and the variables begin at 1. It is closed: no bound follows from others and is not there. nil is empty.
type zone struct {
	n int // variables and 0
	m []int64
}

// infinite is no bound. Others are less than maxBound in either direction: sums of two fit.
const (
	infinite = math.MaxInt64
	maxBound = 1 << 61
)

// bounded puts a bound into range. A greater one says less.
func bounded(c int64) int64 {
	switch {
	case c >= maxBound:
		return infinite
	case c < -maxBound:
		return -maxBound
	}
	return c
}

// add returns the sum of two bounds.
func add(a, b int64) int64 {
	if a == infinite || b == infinite {
		return infinite
	}
	return bounded(a + b)
}

func topZone(variables int) *zone {
	n := variables + 1
	z := &zone{n, make([]int64, n*n)}
	for i := range z.m {
		if i%(n+1) != 0 {
			z.m[i] = infinite
		}
	}
	return z
}

func (z *zone) at(i, j int) int64 { return z.m[i*z.n+j] }

func (z *zone) clone() *zone { return &zone{z.n, slices.Clone(z.m)} }

// with returns the zone where v_i - v_j <= c, too; nil if there is nothing in it.
func (z *zone) with(i, j int, c int64) *zone {
	c = bounded(c)
	if z == nil || c >= z.at(i, j) {
		return z
	}
	if add(c, z.at(j, i)) < 0 {
		return nil
	}
	// What follows uses the new bound once: in front of it the best way to i, behind it that from j.
	y := z.clone()
	for a := range z.n {
		to := add(z.at(a, i), c)
		if to == infinite {
			continue
		}
		for b := range z.n {
			y.m[a*z.n+b] = min(y.m[a*z.n+b], add(to, z.at(j, b)))
		}
	}
	return y
}

// forget returns the zone where v_i may be anything.
func (z *zone) forget(i int) *zone {
	y := z.clone()
	for j := range z.n {
		if j != i {
			y.m[i*z.n+j], y.m[j*z.n+i] = infinite, infinite
		}
	}
	return y
}

// join returns the least zone that has both.
func (z *zone) join(y *zone) *zone {
	x := z.clone()
	for k := range x.m {
		x.m[k] = max(x.m[k], y.m[k])
	}
	return x // the greater ones of closed bounds are closed
}

// meet returns what is in both.
func (z *zone) meet(y *zone) *zone {
	for i := range y.n {
		for j := range y.n {
			if z = z.with(i, j, y.at(i, j)); z == nil {
				return nil
			}
		}
	}
	return z
}

// widen returns a zone that has both, whose bounds are those of z or, where that is not enough, the next one of some numbers, which are
// ascending, or none at all.
func (z *zone) widen(y *zone, at []int64) *zone {
	x := topZone(z.n - 1)
	for i := range z.n {
		for j := range z.n {
			c := z.at(i, j)
			if d := y.at(i, j); d > c {
				c = infinite
				if k, _ := slices.BinarySearch(at, d); k < len(at) {
					c = at[k]
				}
			}
			if i != j {
				x = x.with(i, j, c)
			}
		}
	}
	return x
}

func (z *zone) equal(y *zone) bool { return slices.Equal(z.m, y.m) }

// maxTerms bounds the sums of which all ways to pair variables are tried.
const maxTerms = 5

// most returns an upper bound of a sum: of the ways to put it together of differences, the one that says most.
func (z *zone) most(f Linear) int64 {
	terms := 0
	for _, a := range f.Coef {
		if a != 0 {
			terms++
		}
	}
	best := z.paired(slices.Clone(f.Coef), terms <= maxTerms)
	return add(best, bounded(f.C))
}

// paired bounds what is left of a sum. pairs tells that differences of two variables are tried, not only bounds of single ones.
func (z *zone) paired(coef []int64, pairs bool) int64 {
	i := slices.IndexFunc(coef, func(a int64) bool { return a != 0 })
	if i < 0 {
		return 0
	}
	a := coef[i]
	coef[i] = 0
	best := z.alone(i, a)
	if best != infinite {
		best = add(best, z.paired(coef, pairs))
	}
	for j, b := range coef {
		if !pairs || b == 0 || (a > 0) == (b > 0) {
			continue
		}
		k := min(max(a, -a), max(b, -b))
		c := z.at(i+1, j+1)
		if a < 0 {
			c = z.at(j+1, i+1)
		}
		if c == infinite {
			continue
		}
		rest := slices.Clone(coef)
		if a > 0 {
			rest[i], rest[j] = a-k, b+k
		} else {
			rest[i], rest[j] = a+k, b-k
		}
		best = min(best, add(times(k, c), z.paired(rest, pairs)))
	}
	coef[i] = a
	return best
}

// alone bounds a*v_i from above.
func (z *zone) alone(i int, a int64) int64 {
	if a > 0 {
		return times(a, z.at(i+1, 0))
	}
	return times(-a, z.at(0, i+1))
}

// times multiplies a bound with a positive number.
func times(k, c int64) int64 {
	if c == infinite {
		return c
	}
	if p, ok := mulAdd(0, k, c); ok {
		return bounded(p)
	}
	return infinite
}
