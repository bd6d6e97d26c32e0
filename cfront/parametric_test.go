package cfront

import (
	"testing"

	"comus/ir"
)

// TestParametric counts the threads of programs read with Options.Parametric.
func TestParametric(t *testing.T) {
	const head = "#include <pthread.h>\nint x; int nondet(void) { int v; return v; }\nvoid *g(void *a) { x = 2; return 0; }\nvoid *f(void *a) { x = 1; return 0; }\n" +
		"pthread_t p;\nvoid make(void) { pthread_create(&p, 0, f, 0); }\n"
	for _, tt := range []struct {
		name, main         string
		threads, replicate int
	}{
		{"one", "pthread_create(&p, 0, f, 0);", 2, 0},
		{"any number", "while (1) pthread_create(&p, 0, f, 0);", 2, 1},
		{"a few", "for (int i = 0; i < 4; i++) pthread_create(&p, 0, f, 0);", 5, 0},
		{"many", "for (int i = 0; i < 5; i++) pthread_create(&p, 0, f, 0);", 2, 1},
		{"an unknown number", "for (int i = 0, n = nondet(); i < n; i++) pthread_create(&p, 0, f, 0);", 2, 1},
		{"two kinds", "while (nondet()) { pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); }", 3, 2},
		{"beside another", "pthread_create(&p, 0, g, 0); do pthread_create(&p, 0, f, 0); while (nondet()); pthread_join(p, 0);", 3, 1},
		{"in a function", "while (1) make();", 2, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := Parse("p.c", []byte(head+"int main(void) { "+tt.main+" return 0; }\n"), Options{Parametric: true})
			if err != nil {
				t.Fatal(err)
			}
			p := res.Program
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			if len(p.Threads) != tt.threads || len(p.Replicated()) != tt.replicate || len(p.Bounded) > 0 {
				t.Errorf("%d threads, %d replicated, bounded: %v", len(p.Threads), len(p.Replicated()), p.Bounded)
			}
			for _, th := range p.Replicated() {
				if th.Ended != nil {
					t.Error("it has a flag for its end")
				}
				th.Edges(func(e *ir.Edge) {
					if e.Kind == ir.End {
						t.Error("it has an End edge")
					}
				})
			}
		})
	}
}
