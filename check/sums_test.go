package check

import (
	"math/rand/v2"
	"testing"

	"comus/logic"
)

func TestSumsProve(t *testing.T) {
	pr := places(t)
	for _, tt := range []struct {
		name, facts, cond string
		guard             []span
		goal              string
		want              bool
	}{
		{"the same", "(=> (= pc0 2) (<= (+ x y) 9))", "true", nil, "(<= (+ x y) 9)", true},
		{"larger sum", "(and (=> (= pc0 2) (<= (+ x y) 9)) (>= y 2))", "true", nil, "(<= x 7)", true},
		{"not so large", "(and (=> (= pc0 2) (<= (+ x y) 9)) (>= y 2))", "true", nil, "(<= x 6)", false},
		{"larger factor", "(and (<= (+ x (* 3 y)) 9) (>= y 0))", "true", nil, "(<= (+ x y) 9)", true},
		{"smaller factor", "(and (<= (+ x y) 9) (>= y 0))", "true", nil, "(<= (+ x (* 3 y)) 9)", false},
		{"rest without a bound", "(<= (- x y) 9)", "true", nil, "(<= x 9)", false},
		{"rest bounded by its type", "(<= (+ x z) 9)", "true", nil, "(<= x 9)", true},
		{"rest bounded by the condition", "(<= (+ x y) 9)", "(>= y 0)", nil, "(<= x 9)", true},
		{"negative rest", "(<= (- x z) 9)", "true", nil, "(<= x 12)", true},
		{"negative rest, too small", "(<= (- x z) 9)", "true", nil, "(<= x 11)", false},
		{"fewer places", "(=> (= pc1 4) (<= (+ x z) 9))", "true", []span{{1, 4, 4}, {2, 2, 2}}, "(<= x 9)", true},
		{"places of all", "(=> (and (= pc0 2) (= pc1 4) (= pc2 2)) (<= (+ x z) 9))", "true", []span{{1, 4, 4}, {2, 2, 2}}, "(<= x 9)", true},
		{"more places", "(=> (and (= pc1 4) (= pc2 2)) (<= (+ x z) 9))", "true", []span{{1, 4, 4}}, "(<= x 9)", false},
		{"other place", "(=> (= pc1 4) (<= (+ x z) 9))", "true", []span{{1, 2, 2}}, "(<= x 9)", false},
		{"other source", "(=> (= pc0 4) (<= (+ x z) 9))", "true", nil, "(<= x 9)", false},
		{"one of several places", "(=> (= pc1 4) (<= (+ x z) 9))", "true", []span{{1, 2, 4}}, "(<= x 9)", false},
		{"bound at a place", "(and (=> (= pc1 4) (<= (+ x y) 9)) (=> (= pc1 4) (>= y 0)))", "true", []span{{1, 4, 4}}, "(<= x 9)", true},
		{"rest bounded at one of several places", "(and (<= (+ x y) 9) (=> (= pc1 2) (>= y 1)))", "true", []span{{1, 2, 4}}, "(<= x 8)", false},
		{"rest bounded elsewhere", "(and (<= (+ x y) 9) (=> (= pc0 4) (>= y 1)) (=> (= pc1 2) (>= y 1)))", "true", []span{{1, 4, 4}}, "(<= x 8)", false},
		{"no inequality", "(<= (+ x z) 9)", "true", nil, "(= x 9)", false},
	} {
		parse := func(s string) *logic.Term {
			f, err := pr.parse(s, vocabulary{pcs: anyPC, vars: anyVar})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			return f
		}
		j := pr.newFacts(parse(tt.facts))
		if got := j.sums.proves(j.rows.newBox(0, 2, parse(tt.cond)), tt.guard, parse(tt.goal)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSumsAgainstSolver compares what follows from facts about sums with the solver.
func TestSumsAgainstSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	proved, open := 0, 0
	n := 60
	if testing.Short() {
		n = 15
	}
	for range n {
		pr := places(t)
		l := pr.l
		at := func(f *logic.Term) *logic.Term {
			for _, th := range pr.threads {
				if r.IntN(2) == 0 {
					f = l.Or(f, l.Ne(th.PC, l.Int(int64(th.nodes[r.IntN(2)]))))
				}
			}
			return f
		}
		sum := func() *logic.Term {
			var parts []*logic.Term
			for _, v := range pr.Vars {
				parts = append(parts, l.Mul(l.Int(int64(r.IntN(5)-1)), v.Sym))
			}
			return l.Add(parts...)
		}
		var facts []*logic.Term
		for range 8 {
			facts = append(facts, at(l.Le(sum(), l.Int(int64(r.IntN(6))))), at(l.Ge(pr.Vars[r.IntN(3)].Sym, l.Int(int64(r.IntN(4)-1)))))
		}
		ck := testChecker(t, pr, l.And(facts...))
		for range 60 {
			th := pr.threads[r.IntN(3)]
			from := th.nodes[r.IntN(2)]
			for _, row := range pr.rows(at(l.Le(sum(), l.Int(int64(r.IntN(20)))))) {
				if !ck.facts.sums.proves(ck.facts.rows.newBox(th.Index, from, l.True()), row.guard, row.concl) {
					open++
					continue
				}
				proved++
				before := ck.facts.at(th.Index, from, anyPC, anyVar)
				if ok, err := ck.prover.valid(before, pr.goal(row, th.Index, row.concl)); err != nil || !ok {
					t.Fatalf("facts %s\nthread %d at %d: %v %s is not implied (%v)", l.And(facts...), th.Index, from, row.guard, row.concl, err)
				}
			}
		}
	}
	t.Logf("%d proved, %d not", proved, open)
	if proved < n || open < n {
		t.Errorf("too few were proved (%d) or left (%d)", proved, open)
	}
}
