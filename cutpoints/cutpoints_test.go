package cutpoints_test

import (
	"fmt"
	"testing"

	"comus/cutpoints"
	"comus/internal/concrete"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/interp"
)

func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	res.Program.Renumber()
	return res.Program
}

// errorReachable explores a program. With graphs, threads are switched at
// cut-points only.
func errorReachable(t *testing.T, p *ir.Program, graphs []*cutpoints.Graph) (bool, int, bool) {
	var start []*interp.State
	if err := concrete.Initial(p, func(s *interp.State) { start = append(start, s) }); err != nil {
		t.Fatal(err)
	}
	found := false
	states, ok := concrete.Closure(start, 30_000, func(s *interp.State) []*interp.State {
		if s.AtError() != nil {
			found = true
		}
		if found {
			return nil
		}
		var out []*interp.State
		for _, e := range interp.Enabled(p, s) {
			if graphs == nil || mayMove(graphs, s, e.From.Thread.Index) {
				out = append(out, concrete.Step(p, s, e)...)
			}
		}
		return out
	})
	return found, len(states), ok
}

// mayMove reports whether every other thread is at a cut-point.
func mayMove(graphs []*cutpoints.Graph, s *interp.State, t int) bool {
	for i, l := range s.Locs {
		if i != t && !graphs[i].Cut[l.Index] {
			return false
		}
	}
	return true
}

// TestReductionKeepsErrors compares random programs with and without the
// reduction.
func TestReductionKeepsErrors(t *testing.T) {
	unsafe, full, reduced := 0, 0, 0
	for seed := range uint64(long.N(250, 60)) {
		src := randprog.Generate(seed, randprog.Options{})
		p := parse(t, src)
		want, n, ok := errorReachable(t, p, nil)
		if !ok {
			continue
		}
		got, m, _ := errorReachable(t, p, cutpoints.Compute(p, cutpoints.Options{}))
		if got != want {
			t.Fatalf("seed %d: error reachable: %v, with reduction: %v\n%s\n%s", seed, want, got, src, p)
		}
		if want {
			unsafe++
		} else {
			full, reduced = full+n, reduced+m
		}
	}
	t.Logf("%d unsafe; safe ones have %d states, %d with reduction", unsafe, full, reduced)
	if unsafe < long.N(20, 3) || reduced == 0 || reduced >= full {
		t.Errorf("the comparison is empty or the reduction does nothing")
	}
}

const prelude = `
#include <pthread.h>
#include <assert.h>
int x, y, n;
pthread_mutex_t m;
`

// TestCutPoints counts cut-points in programs whose reduction is known: the entry
// is always one, the end of a thread only if somebody joins it.
func TestCutPoints(t *testing.T) {
	main := func(body string) string {
		return `int main(void) { pthread_t a, b; x = 0; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); ` + body + ` return 0; }`
	}
	tests := []struct {
		name, src string
		cuts      int // of thread 1, which runs f
	}{
		{"race", prelude + `void *f(void *_) { x = 1; y = 2; return 0; } void *g(void *_) { assert(x + y < 9); return 0; }` + main(""), 3},
		{"lock", prelude + `void *f(void *_) { pthread_mutex_lock(&m); x = 1; y = 2; pthread_mutex_unlock(&m); return 0; }
			void *g(void *_) { pthread_mutex_lock(&m); assert(x + y < 9); pthread_mutex_unlock(&m); return 0; }` + main(""), 2},
		{"lock not held by all", prelude + `void *f(void *_) { pthread_mutex_lock(&m); x = 1; y = 2; pthread_mutex_unlock(&m); return 0; }
			void *g(void *_) { assert(x + y < 9); return 0; }` + main(""), 3},
		{"trylock sees the lock", prelude + `void *f(void *_) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
			void *g(void *_) { assert(pthread_mutex_trylock(&m) == 0); return 0; }` + main(""), 3},
		{"read only", prelude + `void *f(void *_) { int k = n + n; return 0; } void *g(void *_) { assert(n == 0); return 0; }` + main(""), 1},
		{"read after join", prelude + `void *f(void *_) { x = 1; return 0; } void *g(void *_) { return 0; }` +
			main("pthread_join(a, 0); assert(x == 1);"), 2},
	}
	for _, tt := range tests {
		p := parse(t, tt.src)
		g := cutpoints.Compute(p, cutpoints.Options{})[1]
		if n := len(g.Cuts()); n != tt.cuts {
			t.Errorf("%s: %d cut-points, want %d\n%v\n%s", tt.name, n, tt.cuts, g.Cuts(), fmt.Sprint(p))
		}
	}
}
