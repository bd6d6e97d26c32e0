package zones

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// Pack says which variables there are: N of them, of which Flags tell cases apart. At are numbers that bounds are widened to, ascending.
type Pack struct {
	N     int
	Flags []int
	At    []int64
}

// State is a set of vectors: those in one of its cases.
type State struct {
	p     *Pack
	cases []conj // by their keys, which differ
}

// conj is a case: bounds and equations.
type conj struct {
	key string // the values of flags, those that are known
	z   *zone
	a   affine
}

// maxCases bounds the cases of a state.
const maxCases = 16

// Top has all vectors.
func (p *Pack) Top() *State { return p.of([]conj{{z: topZone(p.N)}}) }

// of makes a state of cases; those with equal flags are joined.
func (p *Pack) of(cases []conj) *State {
	for i := range cases {
		cases[i].key = p.key(cases[i].z)
	}
	slices.SortStableFunc(cases, func(x, y conj) int { return strings.Compare(x.key, y.key) })
	s := &State{p: p}
	for _, c := range cases {
		if k := len(s.cases); k > 0 && s.cases[k-1].key == c.key {
			s.cases[k-1] = s.cases[k-1].join(c, p)
		} else {
			s.cases = append(s.cases, c)
		}
	}
	if len(s.cases) > maxCases {
		all := s.cases[0]
		for _, c := range s.cases[1:] {
			all = all.join(c, p)
		}
		all.key = p.key(all.z)
		s.cases = []conj{all}
	}
	return s
}

// key has the values of flags that are known.
func (p *Pack) key(z *zone) string {
	var b strings.Builder
	for _, i := range p.Flags {
		if hi, lo := z.at(i+1, 0), z.at(0, i+1); hi != infinite && lo == -hi {
			fmt.Fprintf(&b, "%d,", hi)
		} else {
			b.WriteString("?,")
		}
	}
	return b.String()
}

func (c conj) join(d conj, p *Pack) conj {
	return conj{c.key, c.z.join(d.z), c.a.join(d.a, p.N)}
}

// Empty reports whether there is nothing in a state.
func (s *State) Empty() bool { return len(s.cases) == 0 }

// Trivial reports whether a state says nothing.
func (s *State) Trivial() bool {
	return len(s.cases) == 1 && len(s.cases[0].a.rows) == 0 && s.cases[0].z.equal(topZone(s.p.N))
}

// each makes a state of what f makes of the cases; a nil zone is left out.
func (s *State) each(f func(c conj) conj) *State {
	cases := make([]conj, 0, len(s.cases))
	for _, c := range s.cases {
		if d := f(c); d.z != nil {
			cases = append(cases, d)
		}
	}
	return s.p.of(cases)
}

// Join returns what is in either.
func (s *State) Join(t *State) *State {
	if s == t || s.Equal(t) {
		return s
	}
	return s.p.of(append(slices.Clone(s.cases), t.cases...))
}

// Equal reports whether two states say the same in the same way.
func (s *State) Equal(t *State) bool {
	return s == t || slices.EqualFunc(s.cases, t.cases, func(c, d conj) bool { return c.key == d.key && c.z.equal(d.z) && c.a.equal(d.a) })
}

// Widen returns what has both, so that chains end: bounds that do not hold any more go to the numbers of the pack, or where far is set,
// are dropped.
func (s *State) Widen(t *State, far bool) *State {
	at := s.p.At
	if far {
		at = nil
	}
	return s.p.of(append(slices.Clone(s.cases), t.each(func(d conj) conj {
		for _, c := range s.cases {
			if c.key == d.key {
				return conj{d.key, c.z.widen(d.z, at), c.a.join(d.a, s.p.N)}
			}
		}
		return d
	}).cases...))
}

// Forget returns the state where some variables may be anything.
func (s *State) Forget(drop func(i int) bool) *State {
	return s.each(func(c conj) conj {
		for i := range s.p.N {
			if drop(i) {
				c = conj{z: c.z.forget(i + 1), a: c.a.forget(i, s.p.N)}
			}
		}
		return c
	})
}

// Meet returns at least what is in both.
func (s *State) Meet(t *State) *State {
	var cases []conj
	for _, c := range s.cases {
		for _, d := range t.cases {
			if x, ok := c.meet(d, s.p); ok {
				cases = append(cases, x)
			}
		}
	}
	return s.p.of(cases)
}

func (c conj) meet(d conj, p *Pack) (conj, bool) {
	z := c.z.meet(d.z)
	if z == nil {
		return c, false
	}
	a, ok := reduced(append(slices.Clone(c.a.rows), d.a.rows...), p.N)
	if !ok {
		return c, false
	}
	return conj{z: z, a: a}.reduce(p)
}

// reduce lets bounds and equations learn from each other; ok is false if they contradict.
func (c conj) reduce(p *Pack) (conj, bool) {
	rows := slices.Clone(c.a.rows)
	for i := range c.z.n {
		for j := range i {
			if d := c.z.at(i, j); d != infinite && small(d) && c.z.at(j, i) == -d {
				f := Constant(p.N, -d) // v_i - v_j - d = 0
				f.Coef[i-1] = 1
				if j > 0 {
					f.Coef[j-1] = -1
				}
				rows = append(rows, f)
			}
		}
	}
	a, ok := reduced(rows, p.N)
	if !ok {
		return c, false
	}
	c.a = a
	for _, r := range a.rows {
		if c = c.atMost(r); c.z != nil {
			c = c.atMost(r.minus())
		}
		if c.z == nil {
			return c, false
		}
	}
	return c, true
}

// atMost returns the case where f <= 0: what follows of single variables and of differences is kept.
func (c conj) atMost(f Linear) conj {
	for i, a := range f.Coef {
		for j := -1; j < len(f.Coef); j++ {
			if a == 0 || j == i || j >= 0 && f.Coef[j] != -a || a != 1 && a != -1 || j >= 0 && a != 1 {
				continue
			}
			rest := Linear{slices.Clone(f.Coef), f.C}
			rest.Coef[i] = 0
			if j >= 0 {
				rest.Coef[j] = 0
			}
			// v_i - v_j <= -rest <= -(the least of rest)
			d := c.z.most(rest.minus())
			switch {
			case d == infinite:
			case a > 0:
				c.z = c.z.with(i+1, j+1, d)
			default:
				c.z = c.z.with(0, i+1, d)
			}
			if c.z == nil {
				return c
			}
		}
	}
	return c
}

// forms returns f and sums that equal it because of equations, each with what it is a multiple of f by.
func (c conj) forms(f Linear) (list []Linear, by []int64) {
	list, by = []Linear{f}, []int64{1}
	for _, r := range c.a.rows {
		for j := range f.Coef {
			if f.Coef[j] == 0 || r.Coef[j] == 0 {
				continue
			}
			g := gcd(f.Coef[j], r.Coef[j])
			k, m := r.Coef[j]/g, f.Coef[j]/g
			if k < 0 {
				k, m = -k, -m
			}
			h := Linear{make([]int64, len(f.Coef)), 0}
			h, ok := h.plus(k, f)
			if ok {
				h, ok = h.plus(-m, r)
			}
			if ok {
				list, by = append(list, h), append(by, k)
			}
		}
	}
	return list, by
}

// most returns an upper bound of f; infinite if there is none.
func (c conj) most(f Linear) int64 {
	if f.tooLarge() {
		return infinite
	}
	best := int64(infinite)
	list, by := c.forms(f)
	for i, g := range list {
		if d := c.z.most(g); d != infinite {
			best = min(best, floor(d, by[i]))
		}
	}
	return best
}

// floor divides by a positive number.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Bounds returns the least and the greatest value of a sum; nil where there is no bound.
func (s *State) Bounds(f Linear) (lo, hi *int64) {
	least, most := int64(infinite), int64(-maxBound)
	for _, c := range s.cases {
		most = max(most, c.most(f))
		if d := c.most(f.minus()); d == infinite {
			least = -maxBound
		} else {
			least = min(least, -d)
		}
	}
	if least > -maxBound && least != infinite {
		lo = &least
	}
	if most < maxBound && most > -maxBound {
		hi = &most
	}
	return lo, hi
}

// Assume returns at least the vectors for which a sum compares so to 0.
func (s *State) Assume(f Linear, p cir.Pred) *State {
	if f.tooLarge() {
		return s
	}
	return s.each(func(c conj) conj {
		hi, low := c.most(f), c.most(f.minus()) // -low <= f <= hi
		p := p
		if p == cir.Ne {
			switch {
			case hi == 0 && low == 0:
				return conj{}
			case low == 0:
				p = cir.Gt
			case hi == 0:
				p = cir.Lt
			default:
				return c
			}
		}
		if (p == cir.Eq || p == cir.Ge) && hi < 0 || p == cir.Gt && hi <= 0 ||
			(p == cir.Eq || p == cir.Le) && low < 0 || p == cir.Lt && low <= 0 {
			return conj{}
		}
		return c.assume(f, p, s.p)
	})
}

// assume is Assume of one case, but for Ne, which says something only at the ends of what is possible.
func (c conj) assume(f Linear, p cir.Pred, pack *Pack) conj {
	if p == cir.Eq {
		a, ok := c.a.with(f, pack.N)
		if !ok {
			return conj{}
		}
		c.a = a
	}
	if p == cir.Lt {
		f = Linear{f.Coef, f.C + 1}
	}
	if p == cir.Gt {
		f = Linear{f.Coef, f.C - 1}
	}
	list, by := c.forms(f)
	for i, g := range list {
		if by[i] != 1 {
			continue
		}
		if p != cir.Gt && p != cir.Ge {
			if c = c.atMost(g); c.z == nil {
				return conj{}
			}
		}
		if p != cir.Lt && p != cir.Le {
			if c = c.atMost(g.minus()); c.z == nil {
				return conj{}
			}
		}
	}
	c, ok := c.reduce(pack)
	if !ok {
		return conj{}
	}
	return c
}

// Assign returns the state after a variable got the value of a sum, of what was there before.
func (s *State) Assign(i int, f Linear) *State {
	if f.tooLarge() {
		return s.Forget(func(j int) bool { return i == j })
	}
	n := s.p.N
	return s.each(func(c conj) conj {
		z := c.z.forget(i + 1)
		for j := -1; j < n; j++ {
			if j == i {
				continue
			}
			g := Linear{slices.Clone(f.Coef), f.C} // f - v_j
			if j >= 0 {
				g.Coef[j]--
			}
			if d := c.most(g); d != infinite {
				z = z.with(i+1, j+1, d)
			}
			if d := c.most(g.minus()); d != infinite {
				z = z.with(j+1, i+1, d)
			}
		}
		return conj{z: z, a: c.a.assign(i, f, n)}
	})
}

// Within returns the state where a variable is within bounds; nil for none.
func (s *State) Within(i int, lo, hi *int64) *State {
	return s.each(func(c conj) conj {
		z := c.z
		if lo != nil {
			z = z.with(0, i+1, -max(*lo, -maxBound))
		}
		if hi != nil && z != nil {
			z = z.with(i+1, 0, *hi)
		}
		return conj{z: z, a: c.a}
	})
}

// Has reports whether a vector is in a state.
func (s *State) Has(v []int64) bool {
	return slices.ContainsFunc(s.cases, func(c conj) bool { return c.has(v) })
}

func (c conj) has(v []int64) bool {
	value := func(i int) int64 {
		if i == 0 {
			return 0
		}
		return v[i-1]
	}
	for i := range c.z.n {
		for j := range c.z.n {
			if d := c.z.at(i, j); d != infinite && value(i)-value(j) > d {
				return false
			}
		}
	}
	return !slices.ContainsFunc(c.a.rows, func(r Linear) bool { return r.Of(v) != 0 })
}

// String is for people and tests.
func (s *State) String() string {
	var b strings.Builder
	for _, c := range s.cases {
		fmt.Fprintf(&b, "[%s", c.key)
		for i := range c.z.n {
			for j := range c.z.n {
				if d := c.z.at(i, j); i != j && d != infinite {
					fmt.Fprintf(&b, " v%d-v%d<=%d", i-1, j-1, d)
				}
			}
		}
		for _, r := range c.a.rows {
			fmt.Fprintf(&b, " %v+%d=0", r.Coef, r.C)
		}
		b.WriteString("]")
	}
	return b.String()
}
