package locpairs

import (
	"context"
	"slices"
	"testing"

	"comus/cutpoints"
	"comus/internal/concrete"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

func analyzeSource(t *testing.T, src string, opts func(*ir.Program) Options) (*ir.Program, []*cutpoints.Graph, *Facts) {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	p := res.Program
	p.Renumber()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	f, err := Analyze(context.Background(), p, graphs, opts(p))
	if err != nil {
		t.Fatal(err)
	}
	return p, graphs, f
}

// whole is the default.
func whole(*ir.Program) Options { return Options{} }

// TestInvariantHolds evaluates the facts in the reachable states of random
// programs in which at most one thread is between cut-points.
func TestInvariantHolds(t *testing.T) {
	for name, opts := range map[string]func(*ir.Program) Options{
		"dense":         whole,
		"beyond budget": func(*ir.Program) Options { return Options{Budget: 20} }, // coarser on the way
		"sparse": func(p *ir.Program) Options {
			return Options{Near: slices.Repeat([]bool{true}, len(p.Threads))}
		},
		"neighbours": func(p *ir.Program) Options { return Options{Near: Near(p, 1, 1)} },
		"one":        func(p *ir.Program) Options { return Options{Near: Near(p, 1, 0)} },
	} {
		t.Run(name, func(t *testing.T) { testInvariantHolds(t, opts) })
	}
}

func testInvariantHolds(t *testing.T, opts func(*ir.Program) Options) {
	tested := 0
	for seed := range uint64(long.N(60, 12)) {
		src := randprog.Generate(seed, randprog.Options{Threads: int(seed % 4)}) // 0: 1 or 2
		p, graphs, f := analyzeSource(t, src, opts)
		var start []*interp.State
		if err := concrete.Initial(p, func(s *interp.State) { start = append(start, s) }); err != nil {
			t.Fatal(err)
		}
		states, _ := concrete.Closure(start, 2000, func(s *interp.State) []*interp.State {
			var out []*interp.State
			for _, e := range interp.Enabled(p, s) {
				if !e.To.Error && othersAtCuts(graphs, s, e.From.Thread.Index) {
					out = append(out, concrete.Step(p, s, e)...)
				}
			}
			return out
		})
		inv := f.Invariant()
		for _, s := range states {
			if !allAtNodes(graphs, s) {
				continue
			}
			tested++
			if !logic.Eval(inv, concrete.Env(p, s)).Bool() {
				t.Fatalf("seed %d: facts do not hold in %s\n%s\n%s", seed, concrete.Key(s), src, p)
			}
		}
	}
	if tested < long.N(3000, 300) {
		t.Errorf("only %d states tested", tested)
	}
}

func othersAtCuts(graphs []*cutpoints.Graph, s *interp.State, t int) bool {
	for i, l := range s.Locs {
		if i != t && !graphs[i].Cut[l.Index] {
			return false
		}
	}
	return true
}

func allAtNodes(graphs []*cutpoints.Graph, s *interp.State) bool {
	for i, l := range s.Locs {
		if !slices.Contains(graphs[i].Nodes, l) {
			return false
		}
	}
	return true
}

// TestAwaitTeaches is the example of the package comment: past the wait, the
// value that the other thread wrote before is known.
func TestAwaitTeaches(t *testing.T) {
	p, _, f := analyzeSource(t, `
#include <pthread.h>
#include <assert.h>
int data, done;
void *writer(void *_) { data = 7; done = 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, writer, 0);
	while (!done);
	assert(data == 7);
	return 0;
}`, whole)
	main := p.Threads[0]
	var before *ir.Loc
	main.Edges(func(e *ir.Edge) {
		if e.To.Error {
			before = e.From
		}
	})
	data := p.Vars[slices.IndexFunc(p.Vars, func(v *ir.Var) bool { return v.Name == "data" })]
	facts := f.Clauses(0, before.Index, []int{1}, func(v *ir.Var) bool { return v == data })
	if !slices.Contains(logic.Conjuncts(facts), p.L.Eq(data.Sym, p.L.Int(7))) {
		t.Errorf("at %v: %s", before, facts.C(logic.CStyle{}))
	}
}

func TestIntervals(t *testing.T) {
	l := logic.NewStore()
	x, y := l.Var("x", logic.Int), l.Var("y", logic.Int)
	fresh := func() *state {
		return &state{l: l, index: map[*logic.Term]int{x: 0, y: 1}, ivs: []interval{
			between(logic.IntValue(0), logic.IntValue(10)), between(logic.IntValue(-5), logic.IntValue(5))}}
	}
	tests := []struct {
		name    string
		f       *logic.Term
		ok      bool
		lo, hi  int64 // of x
		ylo, yh int64
	}{
		{"upper bound", l.Le(x, l.Int(3)), true, 0, 3, -5, 5},
		{"empty", l.Le(x, l.Int(-1)), false, 0, 0, 0, 0},
		{"sum", l.Le(l.Add(x, l.Int(4)), y), true, 0, 1, 4, 5},
		{"equality", l.Eq(l.Mul(l.Int(2), x), l.Int(6)), true, 3, 3, -5, 5},
		{"disequality at an end", l.Ne(x, l.Int(0)), true, 1, 10, -5, 5},
		{"disequality inside", l.Ne(x, l.Int(5)), true, 0, 10, -5, 5},
		{"or", l.Or(l.Le(x, l.Int(1)), l.Eq(x, l.Int(4))), true, 0, 4, -5, 5},
		{"ite", l.Eq(l.Ite(l.Le(y, l.Int(0)), x, l.Int(20)), l.Int(2)), true, 2, 2, -5, 0},
	}
	for _, tt := range tests {
		s := fresh()
		if ok := s.refine(tt.f); ok != tt.ok {
			t.Errorf("%s: %v", tt.name, ok)
			continue
		}
		if !tt.ok {
			continue
		}
		want := []interval{between(logic.IntValue(tt.lo), logic.IntValue(tt.hi)), between(logic.IntValue(tt.ylo), logic.IntValue(tt.yh))}
		if !slices.Equal(s.ivs, want) {
			t.Errorf("%s: %v, want %v", tt.name, s.ivs, want)
		}
	}
}
