package valuecheck

import (
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// TestProofs has random goals proved, and looks at all points in a box: what is proved holds at each that satisfies what is known. Where rows of a goal are left out, the rest
// of it does.
func TestProofs(t *testing.T) {
	const symbols, side = 3, 3
	r := rand.New(rand.NewPCG(3, 4))
	random := func() row {
		f := constant(int64(r.IntN(9) - 4))
		for i := range symbols {
			if r.IntN(2) == 0 {
				f, _ = f.plus(int64(r.IntN(5)-2), symbol(i))
			}
		}
		return row{f, r.IntN(4) == 0}
	}
	some := func(most, each int) (f fact) {
		for range r.IntN(most + 1) {
			var c []row
			for range 1 + r.IntN(each) {
				c = append(c, random())
			}
			f = append(f, c)
		}
		return f
	}
	proved, left := 0, 0
	for range 6000 {
		var rows []row
		for i := range symbols {
			lo, _ := atLeast(symbol(i), -side)
			hi, _ := atMost(symbol(i), side)
			rows = append(rows, lo, hi)
		}
		for range r.IntN(4) {
			rows = append(rows, random())
		}
		var facts []fact
		for range r.IntN(3) {
			if f := some(3, 2); len(f) > 0 {
				facts = append(facts, f)
			}
		}
		goal := some(2, 3)
		if len(facts) > 0 && r.IntN(2) == 0 { // something that is likely to follow
			goal = append(goal, facts[0]...)
		}
		p := &prover{}
		if r.IntN(2) == 0 {
			for _, c := range goal {
				p.missing = append(p.missing, make([]bool, len(c)))
			}
		}
		if !p.proves(facts, rows, goal) {
			continue
		}
		if proved++; p.refuted {
			left++
		}
		v := [symbols]int64{}
		for v[0] = -side; v[0] <= side; v[0]++ {
			for v[1] = -side; v[1] <= side; v[1]++ {
				for v[2] = -side; v[2] <= side; v[2]++ {
					if all(rows, nil, v[:]) && every(facts, v[:]) && !any1(goal, p.missing, v[:]) {
						t.Fatalf("not so at %v: %v %v does not give %v (%v)", v, rows, facts, goal, p.missing)
					}
				}
			}
		}
	}
	t.Logf("%d proved, of %d a part", proved, left)
	if proved < 600 || left < 60 {
		t.Error("too few are proved for a test")
	}
}

func all(rows []row, missing []bool, v []int64) bool {
	for i, r := range rows {
		sum := r.c
		for _, x := range r.terms {
			sum += x.coef * v[x.sym]
		}
		if (missing == nil || !missing[i]) && (sum > 0 || r.eq && sum != 0) {
			return false
		}
	}
	return true
}

func any1(f fact, missing [][]bool, v []int64) bool {
	for i, c := range f {
		var m []bool
		if missing != nil {
			m = missing[i]
		}
		if all(c, m, v) {
			return true
		}
	}
	return false
}

func every(facts []fact, v []int64) bool {
	for _, f := range facts {
		if !any1(f, nil, v) {
			return false
		}
	}
	return true
}

// TestNumbers has what is too large not computed with.
func TestNumbers(t *testing.T) {
	for _, x := range []struct {
		a, k, b, sum int64
		ok           bool
	}{
		{1, 2, 3, 7, true}, {-1, -2, 3, -7, true}, {1 << 61, 1, 1 << 61, 1 << 62, true}, {1 << 62, 1, 1, 0, false}, {0, 1 << 32, 1 << 32, 0, false},
		{0, -1 << 63, 1, 0, false}, {-1 << 62, 1, -1, 0, false}, {-1 << 61, -1, 1 << 61, -1 << 62, true},
	} {
		if n, ok := mulAdd(x.a, x.k, x.b); ok != x.ok || ok && n != x.sum {
			t.Errorf("%d + %d*%d: %d %v", x.a, x.k, x.b, n, ok)
		}
	}
	f := lin{terms: []symTerm{{1, maxCoef}}}
	if _, ok := f.plus(2, f); ok {
		t.Error("a coefficient is too large")
	}
	k := &known{bound: map[string]int64{}}
	if k.add(row{lin{[]symTerm{{0, 2}, {1, 4}}, 1}, true}); !k.never {
		t.Error("an even number is odd")
	}
}

// TestRowsThatAreNumbers has rows without symbols: they hold or do not.
func TestRowsThatAreNumbers(t *testing.T) {
	for _, c := range []struct {
		c    int64
		eq   bool
		want bool
	}{{0, false, true}, {-3, false, true}, {3, false, false}, {0, true, true}, {-3, true, false}, {3, true, false}} {
		if got := (&checker{}).proved(&state{}, 0, row{constant(c.c), c.eq}); got != c.want {
			t.Errorf("%d, equal %v: %v", c.c, c.eq, got)
		}
	}
}

// TestBoundsThatFit has sets whose bounds are no numbers of 64 bits: no row says anything of these.
func TestBoundsThatFit(t *testing.T) {
	const large = 1 << 63
	for _, c := range []struct {
		lo, hi num
		rows   int
	}{
		{num{0, 0}, num{0, 9}, 2}, {num{0, 0}, num{0, large - 1}, 1}, {num{0, 0}, num{0, large}, 1}, {num{0, 0}, num{0, ^uint64(0)}, 1},
		{num{-1, large}, num{0, 9}, 1}, {num{-1, large - 1}, num{0, 9}, 1}, {num{-1, 0}, num{0, ^uint64(0)}, 0},
	} {
		if got := bounds(symbol(0), between(c.lo, c.hi, 1)); len(got) != c.rows {
			t.Errorf("%v to %v: rows %v, want %d", c.lo, c.hi, got, c.rows)
		}
	}
}

// TestRelatable has cells that stand for one integer, and others: what is stored in one of several objects leaves the rest as they are, so that a relation, which takes
// a store for the value of the cell, would be wrong.
func TestRelatable(t *testing.T) {
	for _, c := range []struct {
		c    cell
		want bool
	}{
		{cell{typ: cir.I32, own: true, single: true}, true}, {cell{typ: cir.I32, once: true}, true},
		{cell{typ: cir.I32, own: true}, false}, {cell{typ: cir.I32, single: true}, false}, {cell{typ: cir.I32}, false},
		{cell{typ: cir.F64, once: true}, false}, {cell{typ: cir.I32, once: true, text: true}, false},
	} {
		if got := relatable(&c.c); got != c.want {
			t.Errorf("%+v: %v", c.c, got)
		}
	}
}
