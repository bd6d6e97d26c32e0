package valuecheck

import (
	"math/bits"
	"slices"
	"strconv"
)

// lin is a sum of symbols with coefficients, and a constant. A symbol stands for an integer that never changes: what a cell or a register held at some time.
// It is never changed.
type lin struct {
	terms []symTerm // ascending by symbols, without zeros
	c     int64
}

type symTerm struct {
	sym  int
	coef int64
}

// Bounds of what is computed with: beyond them, nothing is said.
const (
	maxCoef   = 1 << 24
	maxNumber = 1 << 60
)

func symbol(n int) lin { return lin{terms: []symTerm{{n, 1}}} }

func constant(c int64) lin { return lin{c: c} }

func fits(c int64) bool { return -maxNumber <= c && c <= maxNumber }

// plus returns f + k*g; ok is false if a number gets too large.
func (f lin) plus(k int64, g lin) (h lin, ok bool) {
	if h.c, ok = mulAdd(f.c, k, g.c); !ok || !fits(h.c) {
		return h, false
	}
	i, j := 0, 0
	for i < len(f.terms) || j < len(g.terms) {
		var t symTerm
		switch {
		case j == len(g.terms) || i < len(f.terms) && f.terms[i].sym < g.terms[j].sym:
			t = f.terms[i]
			i++
		case i == len(f.terms) || g.terms[j].sym < f.terms[i].sym:
			if t.coef, ok = mulAdd(0, k, g.terms[j].coef); !ok {
				return h, false
			}
			t.sym = g.terms[j].sym
			j++
		default:
			if t.coef, ok = mulAdd(f.terms[i].coef, k, g.terms[j].coef); !ok {
				return h, false
			}
			t.sym = f.terms[i].sym
			i, j = i+1, j+1
		}
		if t.coef > maxCoef || t.coef < -maxCoef {
			return h, false
		}
		if t.coef != 0 {
			h.terms = append(h.terms, t)
		}
	}
	return h, true
}

// mulAdd returns a + k*b; ok is false if it may not fit.
func mulAdd(a, k, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(abs(k)), uint64(abs(b)))
	if hi != 0 || lo > 1<<62 || a > 1<<62 || a < -1<<62 {
		return 0, false
	}
	p := int64(lo)
	if (k < 0) != (b < 0) {
		p = -p
	}
	if p > 0 && a > 1<<62-p || p < 0 && a < -1<<62-p {
		return 0, false
	}
	return a + p, true
}

func abs(a int64) int64 { return max(a, -a) }

// row says that a sum is at most 0, or is 0.
type row struct {
	lin
	eq bool
}

// minus returns the row of the sum with other signs.
func (r row) minus() row {
	n := row{lin{make([]symTerm, len(r.terms)), -r.c}, r.eq}
	for i, t := range r.terms {
		n.terms[i] = symTerm{t.sym, -t.coef}
	}
	return n
}

// atMost is the row that f is at most c; atLeast that it is at least c. They say nothing where numbers are too large.
func atMost(f lin, c int64) (row, bool) {
	f, ok := f.plus(-1, constant(c))
	return row{f, false}, ok && fits(c)
}

func atLeast(f lin, c int64) (row, bool) {
	r, ok := atMost(f, c)
	return r.minus(), ok
}

// not returns the rows of which one holds where a row does not.
func (r row) not() []row {
	f, ok := r.plus(-1, constant(1)) // f - 1 >= 0
	if !ok {
		return nil
	}
	above := row{f, false}.minus()
	if !r.eq {
		return []row{above}
	}
	below, ok := r.plus(1, constant(1)) // f + 1 <= 0
	if !ok {
		return nil
	}
	return []row{above, {below, false}}
}

// key identifies the terms.
func (f lin) key() string {
	b := make([]byte, 0, 8*len(f.terms))
	for _, t := range f.terms {
		b = strconv.AppendInt(b, int64(t.sym), 10)
		b = append(b, ':')
		b = strconv.AppendInt(b, t.coef, 10)
		b = append(b, ' ')
	}
	return string(b)
}

// normal divides by what coefficients have in common; the symbols are integers. never tells that no integers are like that.
func (r row) normal() (n row, never bool) {
	g := int64(0)
	for _, t := range r.terms {
		g = gcd(g, t.coef)
	}
	switch {
	case g == 0:
		return r, r.c > 0 || r.eq && r.c != 0
	case g == 1:
		return r, false
	case r.eq && r.c%g != 0:
		return r, true
	}
	n = row{lin{slices.Clone(r.terms), r.c / g}, r.eq}
	if r.c%g > 0 {
		n.c++
	}
	for i := range n.terms {
		n.terms[i].coef /= g
	}
	return n, false
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return abs(a)
}

// maxPivots bounds how long it is looked for a contradiction.
const maxPivots = 400

// contradictory reports whether no integers satisfy some rows; not, if it has not found that out. It is the simplex method without an objective, with the least
// index where there is a choice (Terlaky 1985): each row gets a variable for how far it is from its bound, the symbols are eliminated, and what is left
// contradicts itself if a row is a negative constant and a sum that is not positive. Of equations between integers it sees that divisors do not agree.
func contradictory(rows []row) bool {
	t := &tableau{}
	index := map[int]int{}
	var order []row
	for _, eq := range []bool{true, false} { // equations first
		for _, r := range rows {
			if r.eq == eq {
				order = append(order, r)
			}
		}
	}
	slack := 0
	for _, r := range order {
		for _, x := range r.terms {
			if _, ok := index[x.sym]; !ok {
				index[x.sym] = len(index)
			}
		}
		if !r.eq {
			slack++
		}
	}
	t.free, t.n = len(index), len(index)+slack
	next := t.free
	for _, r := range order {
		v := make([]int64, t.n+1)
		for _, x := range r.terms {
			v[index[x.sym]] = x.coef
		}
		v[t.n] = r.c
		at := -1
		if !r.eq {
			v[next], at = 1, next
			next++
		}
		t.rows, t.basic = append(t.rows, v), append(t.basic, at)
	}
	return t.solve()
}

// tableau has equations: the sums of coefficients times variables, and the constant behind them, are 0. Variables below free are any integers, others are
// integers that are not negative. basic is, of each row, the variable that it is solved for.
type tableau struct {
	free, n int
	rows    [][]int64
	basic   []int
	failed  bool // a number gets too large
}

func (t *tableau) solve() bool {
	// Symbols go first. Rows that are solved for one say nothing else.
	for j := range t.free {
		at := -1
		for i, r := range t.rows {
			if r[j] != 0 && (t.basic[i] < 0 || t.basic[i] >= t.free) && (at < 0 || t.basic[at] >= 0 && t.basic[i] < 0) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		if t.pivot(at, j) || t.failed {
			return !t.failed
		}
	}
	for i, r := range t.rows {
		if t.basic[i] < 0 { // an equation of nothing
			if r[t.n] != 0 && !slices.ContainsFunc(r[:t.n], func(a int64) bool { return a != 0 }) {
				return true
			}
		}
	}
	t.dropSolved()
	for range maxPivots {
		at := -1
		for i, r := range t.rows {
			// basic = -(constant + …) / coefficient, and the coefficient is positive
			if t.basic[i] >= t.free && r[t.n] > 0 && (at < 0 || t.basic[i] < t.basic[at]) {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		in := -1
		for j := t.free; j < t.n; j++ {
			if t.rows[at][j] < 0 {
				in = j
				break
			}
		}
		if in < 0 {
			return true
		}
		if t.pivot(at, in) || t.failed {
			return !t.failed
		}
	}
	return false
}

// dropSolved drops the rows that are solved for symbols, and those that say nothing.
func (t *tableau) dropSolved() {
	n := 0
	for i, r := range t.rows {
		if t.basic[i] >= t.free {
			t.rows[n], t.basic[n] = r, t.basic[i]
			n++
		}
	}
	t.rows, t.basic = t.rows[:n], t.basic[:n]
}

// pivot solves a row for a variable. It reports whether a row contradicts itself.
func (t *tableau) pivot(at, j int) bool {
	p := t.rows[at]
	if p[j] < 0 {
		for k := range p {
			p[k] = -p[k]
		}
	}
	t.basic[at] = j
	for i, r := range t.rows {
		if i == at || r[j] == 0 {
			continue
		}
		g := gcd(p[j], r[j])
		a, b := p[j]/g, r[j]/g // a is positive: the sign of what the row is solved for stays
		d := int64(0)
		for k := range r {
			x, ok1 := mulAdd(0, a, r[k])
			y, ok2 := mulAdd(x, -b, p[k])
			if !ok1 || !ok2 || k < t.n && abs(y) > 1<<40 {
				t.failed = true
				return false
			}
			r[k] = y
			if k < t.n {
				d = gcd(d, y)
			}
		}
		switch {
		case d == 0:
			if r[t.n] != 0 {
				return true
			}
		case d > 1:
			if r[t.n]%d != 0 {
				return true
			}
			for k := range r {
				r[k] /= d
			}
		}
	}
	return false
}
