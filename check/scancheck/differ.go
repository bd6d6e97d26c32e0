package scancheck

import "slices"

// differences are bounds of differences of numbers v_1 to v_n and of v_0, which is 0: v_i - v_j <= at(i, j). What follows from other bounds is there, too. Equations
// say what else is known of the numbers. nil: there are no such numbers.
type differences struct {
	n   int
	m   []int64
	eqs equations
}

const unbounded = int64(1) << 61

// anyNumbers bounds nothing.
func anyNumbers(n int) *differences {
	d := &differences{n: n + 1, m: make([]int64, (n+1)*(n+1))}
	for i := range d.m {
		if i%(d.n+1) != 0 {
			d.m[i] = unbounded
		}
	}
	return d
}

func (d *differences) at(i, j int) int64 { return d.m[i*d.n+j] }

// plus adds bounds.
func plus(a, b int64) int64 {
	if a >= unbounded || b >= unbounded || a+b >= unbounded {
		return unbounded
	}
	return max(a+b, -unbounded+1)
}

// bound adds v_i - v_j <= c, and what follows; nil if that cannot be.
func (d *differences) bound(i, j int, c int64) *differences {
	if d == nil || c >= d.at(i, j) {
		return d
	}
	if i == j || plus(d.at(j, i), c) < 0 {
		return nil
	}
	e := &differences{d.n, slices.Clone(d.m), d.eqs}
	for a := range d.n {
		for b := range d.n {
			if x := plus(plus(d.at(a, i), c), d.at(j, b)); x < e.m[a*d.n+b] {
				e.m[a*d.n+b] = x
			}
		}
	}
	e.tied(i, j)
	return e
}

// equals is v_i = v_j + c.
func (d *differences) equals(i, j int, c int64) *differences {
	return d.bound(i, j, c).bound(j, i, -c)
}

// lose forgets v_i, but not what equations with it say of others.
func (d *differences) lose(i int) *differences {
	if d == nil {
		return nil
	}
	for k := 1; k < d.n; k++ {
		if k != i && slices.ContainsFunc(d.eqs, func(e equation) bool { return e[i] != 0 && e[k] != 0 }) {
			if d = d.drawn(k); d == nil {
				return nil
			}
		}
	}
	e := &differences{d.n, slices.Clone(d.m), d.eqs.without(i)}
	for k := range d.n {
		if k != i {
			e.m[i*d.n+k], e.m[k*d.n+i] = unbounded, unbounded
		}
	}
	return e
}

// moves makes v_i larger by c.
func (d *differences) moves(i int, c int64) *differences {
	if d == nil {
		return nil
	}
	e := &differences{d.n, slices.Clone(d.m), d.eqs.moved(i, c)}
	for k := range d.n {
		if k != i {
			e.m[i*d.n+k], e.m[k*d.n+i] = plus(d.at(i, k), c), plus(d.at(k, i), -c)
		}
	}
	return e
}

// becomes gives v_i the value v_j + c.
func (d *differences) becomes(i, j int, c int64) *differences {
	if i == j {
		return d.moves(i, c)
	}
	return d.lose(i).equals(i, j, c)
}

// either says what both say.
func (d *differences) either(e *differences) *differences {
	switch {
	case d == nil:
		return e
	case e == nil:
		return d
	}
	f := &differences{d.n, slices.Clone(d.m), d.eqs.both(e.eqs)}
	for k, x := range e.m {
		f.m[k] = max(f.m[k], x)
	}
	return f
}

// steady keeps the bounds and equations of d that e has, too; other bounds become the next of some steps, which are ascending, or none.
func (d *differences) steady(e *differences, steps []int64) *differences {
	if d == nil {
		return e
	}
	f := &differences{d.n, slices.Clone(d.m), d.eqs.both(e.eqs)}
	for k, x := range e.m {
		if x > f.m[k] {
			f.m[k] = unbounded
			if i, _ := slices.BinarySearch(steps, x); i < len(steps) {
				f.m[k] = steps[i]
			}
		}
	}
	return f
}

func (d *differences) same(e *differences) bool {
	return d == e || d != nil && e != nil && slices.Equal(d.m, e.m) && d.eqs.same(e.eqs)
}
