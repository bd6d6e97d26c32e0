package query

import (
	"testing"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/examples/gen"
	"comus/internal/genprog"
	"comus/ir"
	"comus/seqmc/spacer"
)

// BenchmarkMain decides whole programs, without the check: Peterson's algorithm
// by facts and (the one that takes more than a second) by refinements of env_move
// alone, a broken matrix by promises of error.
func BenchmarkMain(b *testing.B) {
	b.Run("peterson", func(b *testing.B) { decideAgain(b, peterson(false), 0, true, false) })
	b.Run("peterson-havoc", func(b *testing.B) { decideAgain(b, peterson(false), 0, false, false) })
	b.Run("mat-2-unsafe", func(b *testing.B) {
		decideAgain(b, genprog.Program(b, "mat", gen.Options{Threads: 2, Unsafe: true}), 1, true, true)
	})
	b.Run("mat-3x2-unsafe", func(b *testing.B) {
		decideAgain(b, genprog.Program(b, "mat", gen.Options{Threads: 3, Columns: 2, Unsafe: true}), 1, true, true)
	})
}

// decideAgain decides a program with a thread as main, again and again.
func decideAgain(b *testing.B, p *ir.Program, main int, seed, unsafe bool) {
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	var facts *locpairs.Facts
	if seed {
		var err error
		if facts, err = locpairs.Analyze(b.Context(), p, graphs, locpairs.Options{}); err != nil {
			b.Fatal(err)
		}
		facts.Simplify()
	}
	order := []int{main}
	for i := main + 1; i < len(p.Threads); i++ { // those that it waits for
		order = append(order, i)
	}
	for i := range main {
		order = append(order, i)
	}
	checks := 0
	for b.Loop() {
		h, err := New(p, graphs, facts, order, &spacer.Checker{}, hclog.NewNullLogger())
		if err != nil {
			b.Fatal(err)
		}
		h.Precise = &spacer.Checker{Ranges: true}
		proof, _, err := h.Main(b.Context())
		if err != nil || (proof == nil) != unsafe {
			b.Fatalf("proof %v, error %v", proof != nil, err)
		}
		checks += h.Snapshot().Checks
		h.Close()
	}
	b.ReportMetric(float64(checks)/float64(b.N), "checks/op")
}
