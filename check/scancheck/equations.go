package scancheck

import "slices"

// equation says that e[0] + e[1] v_1 + e[2] v_2 + ... = 0. Differences alone do not say that twice as many threads were created as a loop took turns.
type equation []int64

// maxFactor bounds the numbers in equations: those with larger ones are dropped. maxDrawn bounds those that others are drawn from.
const (
	maxFactor = 1 << 28
	maxDrawn  = 1 << 31
)

// small reports whether no number of an equation is too large.
func (e equation) small() bool {
	return !slices.ContainsFunc(e, func(x int64) bool { return x > maxFactor || x < -maxFactor })
}

// lead returns the first number that an equation speaks of; 0 if there is none.
func (e equation) lead() int {
	return 1 + slices.IndexFunc(e[1:], func(x int64) bool { return x != 0 })
}

// reduced divides an equation by what divides all of it.
func (e equation) reduced() equation {
	by := int64(0)
	for _, x := range e {
		for by, x = x, by; x != 0; {
			by, x = x, by%x
		}
	}
	if by = max(by, -by); by > 1 {
		for i := range e {
			e[i] /= by
		}
	}
	return e
}

// cancel returns the equation without the k-th number, which another one has; ok is false if numbers become too large. The other one may be shorter.
func (e equation) cancel(by equation, k int) (x equation, ok bool) {
	x = slices.Clone(e)
	p, q := by[k], e[k]
	if p < 0 {
		p, q = -p, -q
	}
	for i := range x {
		x[i] *= p
		if i < len(by) {
			x[i] -= q * by[i]
		}
	}
	return x.reduced(), x.small()
}

// equations are some that hold together. They are ordered by what they speak of first, with positive factors, and what one speaks of first is in no other one: equal ones look equal.
type equations []equation

// with adds an equation. It may be left out.
func (es equations) with(e equation) equations {
	ok := true
	for _, x := range es {
		if k := x.lead(); e[k] != 0 {
			if e, ok = e.cancel(x, k); !ok {
				return es
			}
		}
	}
	k := e.lead()
	if k == 0 {
		return es
	}
	e = slices.Clone(e).reduced()
	if e[k] < 0 {
		for i := range e {
			e[i] = -e[i]
		}
	}
	var list equations
	for _, x := range es {
		if x[k] != 0 {
			if x, ok = x.cancel(e, k); !ok {
				continue
			}
		}
		list = append(list, x)
	}
	i := slices.IndexFunc(list, func(x equation) bool { return x.lead() > k })
	if i < 0 {
		i = len(list)
	}
	return slices.Insert(list, i, e)
}

// without has what the equations say of other numbers than the k-th.
func (es equations) without(k int) (list equations) {
	last := -1
	for i, x := range es {
		if x[k] != 0 {
			last = i
		}
	}
	if last < 0 {
		return es
	}
	for i, x := range es {
		ok := i != last
		if ok && x[k] != 0 {
			x, ok = x.cancel(es[last], k)
		}
		if ok {
			list = list.with(x)
		}
	}
	return list
}

// moved has the equations where the k-th number has become larger by c.
func (es equations) moved(k int, c int64) (list equations) {
	for _, x := range es {
		if x[k] != 0 {
			x = slices.Clone(x)
			if c > maxFactor || c < -maxFactor {
				continue
			}
			if x[0] -= x[k] * c; !x.small() {
				continue
			}
		}
		list = append(list, x)
	}
	return list
}

// both has what follows from either of two lists: sums of multiples of the one that are some of the other, too.
func (es equations) both(fs equations) (list equations) {
	if es.same(fs) {
		return es
	}
	var rests []equation // each what is left of an equation of es by fs, and behind it what it was
	for _, x := range es {
		n := len(x)
		rest, ok := slices.Concat(x, x), true
		for _, y := range fs {
			if k := y.lead(); ok && rest[k] != 0 {
				rest, ok = rest.cancel(y, k)
			}
		}
		for _, r := range rests {
			if k := r[:n].any(); ok && rest[k] != 0 {
				rest, ok = rest.cancel(r, k)
			}
		}
		switch {
		case !ok:
		case rest[:n].any() < 0:
			list = list.with(rest[n:])
		default:
			rests = append(rests, rest)
		}
	}
	return list
}

// any returns a place of an equation where there is something, -1 if there is none.
func (e equation) any() int { return slices.IndexFunc(e, func(x int64) bool { return x != 0 }) }

func (es equations) same(fs equations) bool {
	return slices.EqualFunc(es, fs, func(e, f equation) bool { return slices.Equal(e, f) })
}

// tied notes the equations that follow from v_i - v_j <= c, which has just been added.
func (d *differences) tied(i, j int) {
	if d.at(i, j)+d.at(j, i) != 0 {
		return
	}
	for k := range d.n { // of all that are tied to v_i
		if c := d.at(i, k); k != i && c < maxFactor && c > -maxFactor && c+d.at(k, i) == 0 { // v_i - v_k = c
			e := make(equation, d.n)
			e[i], e[k] = 1, -1
			e[0] = -c // v_0 is 0
			d.eqs = d.eqs.with(e)
		}
	}
}

// most returns an upper bound of a sum like that of an equation.
func (d *differences) most(e equation) int64 {
	alone, paired := e[0], e[0]
	left := slices.Clone(e)
	for i := 1; i < d.n; i++ {
		for j := 1; j < d.n && left[i] > 0; j++ {
			if by := min(left[i], -left[j]); by > 0 && d.at(i, j) < maxDrawn {
				paired = plus(paired, times(by, d.at(i, j)))
				left[i], left[j] = left[i]-by, left[j]+by
			}
		}
	}
	for i := 1; i < d.n; i++ {
		alone, paired = plus(alone, d.multiple(i, e[i])), plus(paired, d.multiple(i, left[i]))
	}
	return min(alone, paired)
}

// multiple returns an upper bound of a multiple of v_i.
func (d *differences) multiple(i int, by int64) int64 {
	switch {
	case by > 0:
		return times(by, d.at(i, 0))
	case by < 0:
		return times(-by, d.at(0, i))
	}
	return 0
}

// times multiplies an upper bound.
func times(by, c int64) int64 {
	if c > maxDrawn {
		return unbounded
	}
	return by * max(c, -maxDrawn)
}

// drawn bounds v_k by what the equations say of it. It is nil if that cannot be.
func (d *differences) drawn(k int) *differences {
	if d == nil || k == 0 {
		return d
	}
	for _, e := range d.eqs {
		for _, sign := range []int64{1, -1} {
			if d == nil || e[k] == 0 {
				break
			}
			rest, by := make(equation, len(e)), e[k]
			for i, x := range e { // by v_k = rest, where by is positive, or -by v_k = -rest
				rest[i] = -x * sign
			}
			rest[k], by = 0, by*sign
			for j := range d.n { // v_k - v_j, v_0 is 0
				r := slices.Clone(rest)
				if j > 0 && (j == k || r[j] != by) {
					continue
				}
				if j > 0 {
					r[j] = 0
				}
				if by > 0 {
					if c := d.most(r); c < unbounded {
						d = d.bound(k, j, floorOf(c, by))
					}
				} else if c := d.most(r); c < unbounded {
					d = d.bound(j, k, floorOf(c, -by))
				}
				if d == nil {
					return nil
				}
			}
		}
	}
	return d
}

// floorOf divides by a positive number, downwards.
func floorOf(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
