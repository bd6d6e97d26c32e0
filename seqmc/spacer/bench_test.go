package spacer_test

import (
	"testing"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/examples/gen"
	"comus/internal/genprog"
	"comus/query"
	"comus/seqmc"
	"comus/seqmc/spacer"
)

// BenchmarkCheck decides the program of the first level as the modular algorithm
// meets it first: with facts safe, with plain havoc as env_move not.
func BenchmarkCheck(b *testing.B) {
	for _, bm := range []struct {
		name, kind string
		threads    int
		columns    int
		seed       bool
		want       seqmc.Verdict
	}{
		{"peterson", "pet", 2, 0, true, seqmc.Safe},
		{"peterson-havoc", "pet", 2, 0, false, seqmc.Unsafe},
		{"mat-3x2", "mat", 3, 2, true, seqmc.Safe},
	} {
		b.Run(bm.name, func(b *testing.B) {
			p := genprog.Program(b, bm.kind, gen.Options{Threads: bm.threads, Columns: bm.columns})
			graphs := cutpoints.Compute(p, cutpoints.Options{})
			var facts *locpairs.Facts
			if bm.seed {
				var err error
				if facts, err = locpairs.Analyze(b.Context(), p, graphs, locpairs.Options{}); err != nil {
					b.Fatal(err)
				}
				facts.Simplify()
			}
			var order []int
			for i := 1; i <= bm.threads; i++ { // each waits for the next one; main is last
				order = append(order, i)
			}
			order = append(order, 0)
			checker := &spacer.Checker{}
			h, err := query.New(p, graphs, facts, order, checker, hclog.NewNullLogger())
			if err != nil {
				b.Fatal(err)
			}
			defer h.Close()
			level := h.NewLevel(0, nil, nil, nil)
			for b.Loop() {
				r, err := checker.Check(b.Context(), level.Program)
				if err != nil || r.Verdict != bm.want {
					b.Fatal(r.Verdict, r.Reason, err)
				}
			}
		})
	}
}
