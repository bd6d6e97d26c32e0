package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"comus/ir"
	"comus/logic"
)

// places is a program with three threads of a few locations, some of which are
// nodes, and a few small variables.
func places(t testing.TB) *program {
	t.Helper()
	p := ir.NewProgram("places")
	x, y := newVar(p, "x", ir.Shared), newVar(p, "y", ir.Shared)
	z := p.NewVar("z", ir.Type{Bits: 2}, ir.Shared)
	c := &Certificate{}
	for i := range 3 {
		th := p.NewThread(fmt.Sprint("t", i))
		chain(th, do(), do(ir.AssumeCmd(p.L.Lt(x.Sym, y.Sym))), do(ir.AssignCmd(x, p.L.Add(x.Sym, z.Sym))), do(ir.AssignCmd(y, p.L.Sub(x.Sym, y.Sym))))
		c.Threads = append(c.Threads, Thread{i, []int{0, 2, 3, 4}, []int{0, 2, 4}})
	}
	pr, err := newProgram(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := pr.readThreads(c); err != nil {
		t.Fatal(err)
	}
	return pr
}

// formula returns a random formula over pcs and variables.
func formula(r *rand.Rand, pr *program, depth int) *logic.Term {
	l := pr.l
	if depth > 0 && r.IntN(4) > 0 {
		var parts []*logic.Term
		for range 2 + r.IntN(2) {
			parts = append(parts, formula(r, pr, depth-1))
		}
		if r.IntN(2) == 0 {
			return l.And(parts...)
		}
		return l.Or(parts...)
	}
	var left *logic.Term
	k := int64(r.IntN(6) - 1)
	if r.IntN(2) == 0 {
		left = pr.threads[r.IntN(len(pr.threads))].PC
	} else {
		left = sumOf(r, pr)
	}
	switch r.IntN(5) {
	case 0:
		return l.Le(left, l.Int(k))
	case 1:
		return l.Ge(left, l.Int(k))
	case 2:
		return l.Ne(left, l.Int(k))
	case 3:
		return l.Le(l.Add(left, pr.Vars[0].Sym), l.Int(k))
	}
	return l.Eq(left, l.Int(k))
}

// sumOf returns a random linear term over variables.
func sumOf(r *rand.Rand, pr *program) *logic.Term {
	t := pr.Vars[r.IntN(len(pr.Vars))].Sym
	switch r.IntN(4) {
	case 0:
		t = pr.l.Neg(t)
	case 1:
		t = pr.l.Add(t, pr.l.Mul(pr.l.Int(int64(r.IntN(5)-2)), pr.Vars[r.IntN(len(pr.Vars))].Sym))
	}
	return t
}

func TestRowsAreTheFact(t *testing.T) {
	pr := places(t)
	r := rand.New(rand.NewPCG(1, 2))
	guarded := 0
	for range 3000 {
		f := formula(r, pr, 3)
		rows := pr.rows(f)
		for range 60 {
			env := map[*logic.Term]logic.Value{}
			for _, th := range pr.threads {
				env[th.PC] = logic.IntValue(int64(th.nodes[r.IntN(len(th.nodes))]))
			}
			for _, v := range pr.Vars {
				env[v.Sym] = logic.IntValue(int64(r.IntN(8) - 2))
			}
			value := func(s *logic.Term) logic.Value { return env[s] }
			all := true
			for _, row := range rows {
				guarded += len(row.guard)
				if !logic.Eval(pr.goal(row, -1, row.concl), value).Bool() {
					all = false
				}
			}
			if want := logic.Eval(f, value).Bool(); all != want {
				t.Fatalf("%s is %v in %v, its rows are %v", f, want, env, all)
			}
		}
	}
	if guarded == 0 {
		t.Error("no row had a guard")
	}
}

// TestManyGuards verifies that a fact with more guards than are made stays a row.
func TestManyGuards(t *testing.T) {
	c := counters(7, 2)
	pr, err := newProgram(c.p)
	if err != nil {
		t.Fatal(err)
	}
	if err := pr.readThreads(c.c); err != nil {
		t.Fatal(err)
	}
	or := []*logic.Term{pr.l.Le(pr.Vars[0].Sym, pr.l.Int(1))}
	for _, th := range pr.threads {
		or = append(or, pr.l.Eq(th.PC, pr.l.Int(1)))
	}
	f := pr.l.Or(or...)
	if rows := pr.rows(f); len(rows) != 1 || pr.goal(rows[0], -1, rows[0].concl) != f {
		t.Errorf("%d rows of %s", len(rows), f)
	}
	f = pr.l.Or(or[:6]...)
	if rows := pr.rows(f); len(rows) != 32 {
		t.Errorf("%d rows of %s", len(rows), f)
	}
}

// TestFactsAtLocation compares the facts at a location, some of which are skipped
// because they hold there, with all facts.
func TestFactsAtLocation(t *testing.T) {
	pr := places(t)
	ck := testChecker(t, pr, pr.l.True())
	r := rand.New(rand.NewPCG(5, 6))
	for range 600 {
		f := formula(r, pr, 3)
		th := pr.threads[r.IntN(3)]
		n := th.nodes[r.IntN(len(th.nodes))]
		got := pr.newFacts(f).at(th.Index, n, anyPC, anyVar)
		want := pr.l.Subst(f, map[*logic.Term]*logic.Term{th.PC: pr.l.Int(int64(n))})
		if ok, err := ck.prover.valid(pr.l.True(), pr.l.Iff(got, want)); err != nil || !ok {
			t.Fatalf("%s with thread %d at %d: %s (%v)", f, th.Index, n, got, err)
		}
	}
}

// TestFactsSpeakOfAllowed verifies that facts at a location mention only the pcs and
// variables that they may.
func TestFactsSpeakOfAllowed(t *testing.T) {
	pr := places(t)
	r := rand.New(rand.NewPCG(7, 6))
	for range 600 {
		var list []*logic.Term
		for range 4 {
			list = append(list, formula(r, pr, 2))
		}
		j := pr.newFacts(pr.l.And(list...))
		at := r.IntN(4) - 1               // -1: no thread
		j.at(r.IntN(3), 2, anyPC, anyVar) // what it remembers of another thread does not matter
		other, v := r.IntN(3), pr.Vars[r.IntN(3)]
		got := j.at(at, 2, func(k int) bool { return k != other }, func(x *ir.Var) bool { return x != v })
		if again := pr.newFacts(pr.l.And(list...)).at(at, 2, func(k int) bool { return k != other }, func(x *ir.Var) bool { return x != v }); again != got {
			t.Fatalf("%s with thread %d at 2: %s and %s", pr.l.And(list...), at, got, again)
		}
		for _, s := range logic.FreeVars(got) {
			if k, ok := pr.pcOf[s]; s == v.Sym || ok && (k == at || k == other) {
				t.Fatalf("%s with thread %d at 2: %s speaks of %s", pr.l.And(list...), at, got, s)
			}
		}
	}
}

// testChecker returns a checker of pr with facts whose solver knows the ranges.
func testChecker(t testing.TB, pr *program, facts *logic.Term) *checker {
	t.Helper()
	p, err := newProver(t.Context(), pr.l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.s.Close)
	ck := &checker{pr: pr, prover: p, facts: pr.newFacts(facts)}
	ck.assertRanges()
	return ck
}
