package zones

import "slices"

// affine is a conjunction of equations: rows of coefficients and a constant behind them, whose sum is 0. They are in reduced echelon form, each without
// common divisors and its first coefficient positive, so that equal ones look equal.
type affine struct{ rows []Linear }

// reduced makes rows of n variables an affine; ok is false if they contradict each other. Rows with numbers that are too large are left out.
func reduced(rows []Linear, n int) (a affine, ok bool) {
	rows = slices.Clone(rows)
	done := 0
	for j := range n {
		p := -1
		for i := done; i < len(rows); i++ {
			if rows[i].Coef[j] != 0 {
				p = i
				break
			}
		}
		if p < 0 {
			continue
		}
		pivot, fits := rows[p].normal()
		rows[p] = rows[done]
		if !fits {
			rows = slices.Delete(rows, done, done+1)
			return reduced(rows, n)
		}
		rows[done] = pivot
		for i := 0; i < len(rows); i++ {
			if i == done || rows[i].Coef[j] == 0 {
				continue
			}
			next, fits := rows[i].without(j, pivot)
			if !fits {
				return reduced(slices.Delete(rows, i, i+1), n)
			}
			rows[i] = next
		}
		done++
	}
	for _, r := range rows[done:] {
		if r.C != 0 {
			return affine{}, false
		}
	}
	return affine{rows[:done]}, true
}

// normal returns an equation without common divisors.
func (f Linear) normal() (Linear, bool) {
	d, sign := int64(0), int64(0)
	for _, a := range f.Coef {
		d = gcd(d, a)
		if sign == 0 {
			sign = a
		}
	}
	if d == 0 {
		return f, small(f.C)
	}
	if f.C%d != 0 {
		d = gcd(d, f.C) // no integers are like this; the rationals that are do no harm
	}
	if sign < 0 {
		d = -d
	}
	g := Linear{make([]int64, len(f.Coef)), f.C / d}
	ok := small(g.C)
	for i, a := range f.Coef {
		g.Coef[i] = a / d
		ok = ok && small(g.Coef[i])
	}
	return g, ok
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// without returns f combined with a row so that variable j is not in it.
func (f Linear) without(j int, row Linear) (Linear, bool) {
	g := gcd(f.Coef[j], row.Coef[j])
	h := Linear{make([]int64, len(f.Coef)), 0}
	k, m := row.Coef[j]/g, f.Coef[j]/g
	if !small(f.C) || !small(row.C) {
		return h, false
	}
	for i := range f.Coef {
		h.Coef[i] = k*f.Coef[i] - m*row.Coef[i]
	}
	h.C = k*f.C - m*row.C
	return h.normal()
}

// with returns the equations and one more.
func (a affine) with(f Linear, n int) (affine, bool) {
	return reduced(append(slices.Clone(a.rows), f), n)
}

// forget returns what of the equations does not depend on a variable.
func (a affine) forget(j, n int) affine {
	var rows []Linear
	var used *Linear
	for _, r := range a.rows {
		switch {
		case r.Coef[j] == 0:
			rows = append(rows, r)
		case used == nil:
			used = &r
		default:
			if next, ok := r.without(j, *used); ok {
				rows = append(rows, next)
			}
		}
	}
	b, _ := reduced(rows, n)
	return b
}

// assign returns the equations after variable j got the value of f.
func (a affine) assign(j int, f Linear, n int) affine {
	// One more variable gets the value; then the old one is forgotten, and the new one takes its place.
	wide := func(g Linear, last int64) Linear {
		return Linear{append(slices.Clone(g.Coef), last), g.C}
	}
	var rows []Linear
	for _, r := range a.rows {
		rows = append(rows, wide(r, 0))
	}
	if g := wide(f, -1); !g.tooLarge() && small(g.C) {
		rows = append(rows, g)
	}
	b, _ := reduced(rows, n+1)
	b = b.forget(j, n+1)
	rows = nil
	for _, r := range b.rows {
		coef := slices.Clone(r.Coef[:n])
		coef[j] = r.Coef[n]
		rows = append(rows, Linear{coef, r.C})
	}
	c, _ := reduced(rows, n)
	return c
}

// join returns the equations that follow from either: those in the span of both (Zassenhaus).
func (a affine) join(b affine, n int) affine {
	if a.equal(b) {
		return a
	}
	// Rows of twice the width: u, w and a common constant column each. The constant is one more variable.
	w := n + 1
	var rows []Linear
	put := func(r Linear, twice bool) {
		coef := make([]int64, 2*w)
		copy(coef, r.Coef)
		coef[n] = r.C
		if twice {
			copy(coef[w:], coef[:w])
		}
		rows = append(rows, Linear{Coef: coef})
	}
	for _, r := range a.rows {
		put(r, true)
	}
	for _, r := range b.rows {
		put(r, false)
	}
	both, _ := reduced(rows, 2*w)
	rows = nil
	for _, r := range both.rows {
		if !slices.ContainsFunc(r.Coef[:w], func(c int64) bool { return c != 0 }) {
			rows = append(rows, Linear{slices.Clone(r.Coef[w : w+n]), r.Coef[w+n]})
		}
	}
	c, _ := reduced(rows, n)
	return c
}

func (a affine) equal(b affine) bool {
	return slices.EqualFunc(a.rows, b.rows, func(f, g Linear) bool { return f.C == g.C && slices.Equal(f.Coef, g.Coef) })
}
