package affine

import (
	"math/bits"
	"slices"
)

// row is an equality: the sum of its coefficients times the coordinates, and the last of them, is 0. Its coefficients have no common
// divisor, and the first that is not 0 is positive.
type row []int64

// Space is a set of tuples: those of which equalities hold. The zero Space with a dimension has all tuples.
type Space struct {
	dim  int
	rows []row // in reduced echelon form: each has a leading coordinate that no other has
}

// contradicts reports whether a row says that a constant is 0 that is not.
func (r row) contradicts() bool { return lead(r) == len(r)-1 }

// lead returns the first coordinate with a coefficient, len(r) if there is none.
func lead(r row) int {
	if i := slices.IndexFunc(r, func(c int64) bool { return c != 0 }); i >= 0 {
		return i
	}
	return len(r)
}

// reduce divides a row by its coefficients' common divisor.
func reduce(r row) {
	var g uint64
	sign := int64(0)
	for _, c := range r {
		if c != 0 {
			g = gcd(g, abs(c))
			if sign == 0 {
				sign = 1
				if c < 0 {
					sign = -1
				}
			}
		}
	}
	if g == 0 || g == 1 && sign == 1 {
		return
	}
	for i := range r {
		r[i] = r[i] / int64(g) * sign
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func abs(c int64) uint64 {
	if c < 0 {
		return uint64(-c)
	}
	return uint64(c)
}

// limit bounds coefficients, so that what is computed with them does not overflow.
const limit = 1 << 62

// cancel makes coordinate i of r 0 by adding a multiple of p, whose leading coordinate it is. It reports whether the
// coefficients stay small enough; if not, r is of no use any more.
func cancel(r, p row, i int) bool {
	if r[i] == 0 {
		return true
	}
	g := int64(gcd(abs(r[i]), abs(p[i])))
	a, b := p[i]/g, r[i]/g
	for k := range r {
		x, okX := times(r[k], a)
		y, okY := times(p[k], b)
		if !okX || !okY {
			return false
		}
		if r[k] = x - y; abs(r[k]) >= limit {
			return false
		}
	}
	reduce(r)
	return true
}

// times multiplies, and reports whether the product is small enough.
func times(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(abs(a), abs(b))
	if hi != 0 || lo >= limit {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// echelon brings rows into reduced echelon form. It changes them.
func echelon(rows []row) []row {
	var out []row // their leading coordinates differ
	for _, r := range rows {
		if !cancelAll(r, out) || lead(r) == len(r) {
			continue
		}
		reduce(r)
		i := lead(r)
		out = slices.DeleteFunc(out, func(p row) bool { return !cancel(p, r, i) })
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b row) int { return lead(a) - lead(b) })
	return out
}

// cancelAll makes the leading coordinates of others 0 in r.
func cancelAll(r row, others []row) bool {
	for _, p := range others {
		if !cancel(r, p, lead(p)) {
			return false
		}
	}
	return true
}

// join returns the smallest space found that has both. Of the equalities that hold in both a basis is computed (Zassenhaus): of pairs of
// rows (r, r) for those of s and (r, 0) for those of t, a combination (0, r) has an r that is one of s's and one of t's.
func (s *Space) join(t *Space) *Space {
	if !slices.ContainsFunc(s.rows, func(r row) bool { return !t.implies(r) }) {
		return s
	}
	n := s.dim + 1
	var pairs []row
	for _, r := range s.rows {
		pairs = append(pairs, slices.Concat(r, r))
	}
	for _, r := range t.rows {
		pairs = append(pairs, slices.Concat(r, make(row, n)))
	}
	out := &Space{dim: s.dim}
	for _, r := range echelon(pairs) {
		if lead(r) >= n {
			out.rows = append(out.rows, slices.Clone(r[n:]))
		}
	}
	for _, r := range s.rows { // what was given up there, but is plain to see
		if t.implies(r) {
			out.rows = append(out.rows, slices.Clone(r))
		}
	}
	out.rows = echelon(out.rows)
	return out
}

// implies reports whether an equality follows from those of the space.
func (s *Space) implies(r row) bool {
	r = slices.Clone(r)
	return cancelAll(r, s.rows) && lead(r) == len(r)
}
