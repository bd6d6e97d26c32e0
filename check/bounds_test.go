package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"comus/internal/long"
	"comus/ir"
	"comus/logic"
)

func TestBoxProves(t *testing.T) {
	pr := places(t)
	for _, tt := range []struct {
		name, facts, cond string
		guard             []span
		goal              string
		want              bool
	}{
		{"same guard", "(=> (and (= pc0 2) (= pc1 4)) (<= (+ x y) 3))", "true", []span{{1, 4, 4}}, "(<= (+ x y) 3)", true},
		{"smaller bound", "(=> (and (= pc0 2) (= pc1 4)) (<= (+ x y) 3))", "true", []span{{1, 4, 4}}, "(<= (+ x y) 4)", true},
		{"larger bound", "(=> (and (= pc0 2) (= pc1 4)) (<= (+ x y) 3))", "true", []span{{1, 4, 4}}, "(<= (+ x y) 2)", false},
		{"other location", "(=> (and (= pc0 2) (= pc1 4)) (<= (+ x y) 3))", "true", []span{{1, 2, 2}}, "(<= (+ x y) 3)", false},
		{"other source", "(=> (and (= pc0 4) (= pc1 4)) (<= (+ x y) 3))", "true", []span{{1, 4, 4}}, "(<= (+ x y) 3)", false},
		{"three threads", "(=> (and (= pc0 2) (= pc1 4) (= pc2 2)) (<= (- y x) 3))", "true", []span{{1, 4, 4}, {2, 2, 2}}, "(<= (- y x) 3)", true},
		{"third thread elsewhere", "(=> (and (= pc0 2) (= pc1 4) (= pc2 2)) (<= (- y x) 3))", "true", []span{{1, 4, 4}, {2, 4, 4}}, "(<= (- y x) 3)", false},
		{"wider guard", "(=> (and (= pc0 2) (>= pc1 1)) (<= x 3))", "true", []span{{1, 2, 4}}, "(<= x 3)", true},
		{"narrower guard", "(=> (and (= pc0 2) (>= pc1 4)) (<= x 3))", "true", []span{{1, 2, 4}}, "(<= x 3)", false},
		{"pieces", "(and (=> (= pc1 2) (<= x 3)) (=> (= pc1 4) (<= x 2)))", "true", []span{{1, 2, 4}}, "(<= x 3)", true},
		{"pieces of another thread", "(and (=> (= pc1 0) (= x 3)) (=> (= pc1 2) (= x 3)) (=> (= pc1 4) (= x 2)))", "true", nil, "(and (<= x 3) (>= x 2))", true},
		{"a piece missing", "(and (=> (= pc1 2) (= x 3)) (=> (= pc1 4) (= x 2)))", "true", nil, "(<= x 3)", false},
		{"impossible locations", "(=> (= pc0 2) (not (= pc1 4)))", "true", []span{{1, 4, 4}}, "(= x 99)", true},
		{"impossible condition", "(=> (= pc1 4) (= x 3))", "(not (= x 3))", []span{{1, 4, 4}}, "(= y 99)", true},
		{"first piece too large", "(and (=> (= pc1 2) (<= x 4)) (=> (= pc1 4) (<= x 2)))", "true", []span{{1, 2, 4}}, "(<= x 3)", false},
		{"last piece too large", "(and (=> (= pc1 2) (<= x 2)) (=> (= pc1 4) (<= x 4)))", "true", []span{{1, 2, 4}}, "(<= x 3)", false},
		{"last piece of another thread", "(and (=> (= pc1 0) (= x 3)) (=> (= pc1 2) (= x 3)) (=> (= pc1 4) (= x 2)))", "true", nil, "(= x 3)", false},
		{"a place that is no cut-point", "(and (=> (= pc1 2) (<= x 3)) (=> (= pc1 4) (<= x 3)))", "true", []span{{1, 2, 4}}, "(<= x 3)", true},
		{"the own place is no cut-point", "(and (=> (= pc0 0) (<= x 3)) (=> (= pc0 4) (<= x 3)))", "true", nil, "(<= x 3)", false},
		{"sum", "(and (<= x 3) (<= y 4))", "true", nil, "(<= (+ x (* 2 y)) 11)", true},
		{"sum too large", "(and (<= x 3) (<= y 4))", "true", nil, "(<= (+ x (* 2 y)) 10)", false},
		{"lower bound", "(and (>= x 3) (<= y 4))", "true", nil, "(>= (- x y) (- 1))", true},
		{"types", "true", "true", nil, "(and (<= z 3) (>= z 0) (not (= z 4)))", true},
		{"second thread at more places", "(=> (and (= pc1 2) (= pc2 2)) (<= x 3))", "true", []span{{1, 2, 2}, {2, 2, 4}}, "(<= x 3)", false},
		{"condition bounds", "(<= y 4)", "(< x y)", nil, "(<= x 3)", true},
		{"condition bounds below", "(>= x 4)", "(< x y)", nil, "(>= y 5)", true},
		{"condition does not bound", "(<= y 4)", "(< x y)", nil, "(<= x 2)", false},
		{"condition excludes an end", "true", "(not (= z 0))", nil, "(>= z 1)", true},
		{"condition excludes no end", "true", "(not (= z 1))", nil, "(>= z 1)", false},
		{"branches", "(and (<= x 3) (<= y 4))", "true", nil, "(<= (ite (= z 1) x y) 4)", true},
		{"known branch", "(and (<= x 3) (<= y 4))", "(= z 1)", nil, "(<= (ite (= z 1) x y) 3)", true},
		{"remainder", "true", "true", nil, "(<= (mod x 5) 4)", true},
		{"remainder too large", "true", "true", nil, "(<= (mod x 5) 3)", false},
		{"remainder of less than 0", "(and (<= x 3) (<= y 3))", "true", nil, "(<= (mod (- x y) 5) 3)", false},
		{"remainder of more", "(<= x 5)", "true", nil, "(= (mod (* 2 z) 5) (* 2 z))", false},
		{"sum without a bound below", "(<= x 3)", "true", nil, "(>= (+ x (mod y x)) 0)", false},
		{"sum without a bound above", "(<= x 3)", "true", nil, "(<= (+ x (div y x)) 3)", false},
		{"remainder of less", "true", "true", nil, "(= (mod z 4) z)", false},
		{"disjunction", "(<= x 3)", "true", nil, "(or (= y 1) (<= x 3))", true},
	} {
		parse := func(s string) *logic.Term {
			f, err := pr.parse(s, vocabulary{pcs: anyPC, vars: anyVar})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			return f
		}
		j := pr.newFacts(parse(tt.facts))
		if got := j.rows.newBox(0, 2, parse(tt.cond)).proves(tt.guard, parse(tt.goal)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestIntervals compares operations on intervals with those on their members.
func TestIntervals(t *testing.T) {
	const most = 3
	var all []interval
	for lo := -most - 1; lo <= most; lo++ {
		for hi := -most; hi <= most+1; hi++ { // those beyond most are missing
			all = append(all, interval{logic.IntValue(int64(lo)), logic.IntValue(int64(hi)), lo >= -most, hi <= most})
		}
	}
	var numbers []logic.Value
	for k := int64(-2*most - 2); k <= 2*most+2; k++ {
		numbers = append(numbers, logic.IntValue(k))
	}
	has := func(i interval, v logic.Value) bool { return !i.excludes(v) }
	for _, i := range all {
		for _, v := range numbers {
			for _, w := range numbers {
				if has(i, v) && !has(i.times(w), v.Mul(w)) {
					t.Errorf("%v times %s lacks %s", i, w, v.Mul(w))
				}
				if got := has(i.without(w), v); has(i, v) && !got && v != w || !has(i, v) && got {
					t.Errorf("%v without %s has %s: %v", i, w, v, got)
				}
			}
			if has(i, v) && i.isEmpty() {
				t.Errorf("%v is empty", i)
			}
			for _, j := range all {
				if has(i.meet(j), v) != (has(i, v) && has(j, v)) {
					t.Errorf("%v meets %v wrongly at %s", i, j, v)
				}
				if (has(i, v) || has(j, v)) && !has(i.join(j), v) {
					t.Errorf("%v joined with %v lacks %s", i, j, v)
				}
				if sum := i.plus(j); has(i, v) && slices.ContainsFunc(numbers, func(w logic.Value) bool { return has(j, w) && !has(sum, v.Add(w)) }) {
					t.Errorf("%v plus %v lacks a sum of %s", i, j, v)
				}
			}
		}
	}
}

// TestBoxAgainstSolver compares what a box proves with the solver, for random
// facts, conditions and goals, and blocks of a program.
func TestBoxAgainstSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	proved, open := 0, 0
	n := 120
	if testing.Short() {
		n = 30
	}
	for range n {
		pr := places(t)
		l := pr.l
		ck := testChecker(t, pr, l.And(formula(r, pr, 3), formula(r, pr, 2), formula(r, pr, 2), formula(r, pr, 1)))
		for range 6 {
			th := pr.threads[r.IntN(3)]
			from := th.nodes[r.IntN(len(th.nodes))]
			before := ck.facts.at(th.Index, from, anyPC, anyVar)
			cond := noPC(pr, formula(r, pr, 1))
			box := ck.facts.rows.newBox(th.Index, from, cond)
			for _, row := range pr.rows(formula(r, pr, 2)) {
				concl := l.Subst(row.concl, map[*logic.Term]*logic.Term{pr.Vars[0].Sym: l.Ite(l.Le(sumOf(r, pr), l.Int(1)), sumOf(r, pr), l.Mod(sumOf(r, pr), l.Int(3)))})
				concl = noPC(pr, concl)
				if !box.proves(row.guard, concl) {
					open++
					continue
				}
				proved++
				if ok, err := ck.prover.valid(l.And(before, cond), pr.goal(row, th.Index, concl)); err != nil || !ok {
					t.Fatalf("facts %s\nthread %d at %d, condition %s:\n%v %s is not implied (%v)", l.And(ck.facts.all...), th.Index, from, cond, row.guard, concl, err)
				}
			}
		}
	}
	t.Logf("%d proved, %d not", proved, open)
	if proved < n || open < n {
		t.Errorf("too few were proved (%d) or left (%d)", proved, open)
	}
}

// noPC replaces pcs by a variable.
func noPC(pr *program, f *logic.Term) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for _, t := range pr.threads {
		sub[t.PC] = pr.Vars[1].Sym
	}
	return pr.l.Subst(f, sub)
}

// TestConcernedRowsAreEnough verifies that facts hold after a block if they held
// before it and the rows that concern it hold after it.
func TestConcernedRowsAreEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range long.N(60, 15) {
		pr := places(t)
		l := pr.l
		ck := testChecker(t, pr, l.And(formula(r, pr, 3), formula(r, pr, 2)))
		th := pr.threads[r.IntN(3)]
		n := th.nodes[r.IntN(len(th.nodes)-1)]
		b := th.out[n][0]
		after := map[*logic.Term]*logic.Term{th.PC: l.Int(int64(b.to.Index))}
		for s, val := range b.env {
			after[s] = val
		}
		hyp := []*logic.Term{ck.facts.at(th.Index, n, anyPC, anyVar), b.cond}
		ck.facts.rows.concerned(b, after, func(r *row, concl *logic.Term) { hyp = append(hyp, pr.goal(r, th.Index, concl)) })
		f := l.And(ck.facts.all...)
		if ok, err := ck.prover.valid(l.And(hyp...), l.Subst(f, after)); err != nil || !ok {
			t.Fatalf("facts %s, thread %d from %d to %d: a row is missing (%v)", f, th.Index, n, b.to.Index, err)
		}
	}
}

// counters is a program whose threads count up variables of their own, with a fact
// about each tuple of locations: the sum of all counters.
func counters(threads, steps int) *built {
	p := ir.NewProgram("counters")
	l := p.L
	c := &Certificate{Verdict: "SAFE"}
	var sum, facts []*logic.Term
	for i := range threads {
		x := newVar(p, fmt.Sprint("x", i), ir.Shared)
		sum = append(sum, x.Sym)
		t := p.NewThread(fmt.Sprint("t", i))
		var cmds [][]ir.Cmd
		for k := range steps {
			cmds = append(cmds, do(ir.AssignCmd(x, l.Add(x.Sym, l.Int(1)))))
			facts = append(facts, l.Or(l.Ne(t.PC, l.Int(int64(k))), l.Eq(x.Sym, l.Int(int64(k)))))
		}
		chain(t, cmds...)
		c.Threads = append(c.Threads, Thread{i, locs(steps + 1), locs(steps + 1)})
	}
	at := make([]int, threads)
	var all func(i, total int)
	all = func(i, total int) {
		if i == threads {
			or := []*logic.Term{l.Le(l.Add(sum...), l.Int(int64(total)))}
			for t, n := range at {
				or = append(or, l.Ne(p.Threads[t].PC, l.Int(int64(n))))
			}
			facts = append(facts, l.Or(or...))
			return
		}
		for at[i] = 0; at[i] <= steps; at[i]++ {
			all(i+1, total+at[i])
		}
	}
	all(0, 0)
	c.Facts = l.And(facts...).SMTLIB()
	return &built{p, c}
}

func TestTuples(t *testing.T) {
	b := counters(3, 3)
	if err := Safe(t.Context(), b.p, b.c); err != nil {
		t.Error(err)
	}
	b.c.Facts = strings.Replace(b.c.Facts, "(+ x0 x1 x2) 5)", "(+ x0 x1 x2) 4)", 1)
	if err := Safe(t.Context(), b.p, b.c); err == nil || !strings.Contains(err.Error(), "the facts are not kept") {
		t.Error("accepted a bound that is too small:", err)
	}
}

// BenchmarkTuples checks facts about all tuples of locations of several threads;
// the time per fact should not depend on their number.
func BenchmarkTuples(b *testing.B) {
	for _, steps := range []int{4, 8, 16} {
		c := counters(4, steps)
		facts := strings.Count(c.c.Facts, "(or")
		b.Run(fmt.Sprint(facts), func(b *testing.B) {
			for b.Loop() {
				if err := Safe(b.Context(), c.p, c.c); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*facts), "µs/fact")
		})
	}
}
