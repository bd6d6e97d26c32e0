package valuecheck

import (
	"math/rand/v2"
	"testing"
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
