package locpairs

import (
	"testing"

	"comus/cutpoints"
	"comus/examples/gen"
	"comus/internal/genprog"
)

// BenchmarkAnalyze computes the facts about all threads of a sum of a matrix, and
// about the first row's neighbours.
func BenchmarkAnalyze(b *testing.B) {
	for _, bb := range []struct {
		name    string
		threads int
		near    bool
	}{{"mat-4", 4, false}, {"mat-6", 6, false}, {"mat-6-near", 6, true}} {
		b.Run(bb.name, func(b *testing.B) {
			p := genprog.Program(b, "mat", gen.Options{Threads: bb.threads})
			graphs := cutpoints.Compute(p, cutpoints.Options{})
			opts := Options{}
			if bb.near {
				opts.Near = Near(p, 1, 1)
			}
			for b.Loop() {
				if _, err := Analyze(b.Context(), p, graphs, opts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
