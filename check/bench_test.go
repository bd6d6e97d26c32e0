package check_test

import (
	"testing"

	"comus/check"
	"comus/examples/gen"
	"comus/internal/genprog"
)

// BenchmarkSafe checks the proof of a sum of a matrix, with facts about all threads.
func BenchmarkSafe(b *testing.B) {
	for _, bb := range []struct {
		name    string
		threads int
	}{{"mat-4", 4}, {"mat-6", 6}} {
		b.Run(bb.name, func(b *testing.B) {
			p := genprog.Program(b, "mat", gen.Options{Threads: bb.threads})
			var order []int
			for i := range p.Threads {
				order = append(order, (i+1)%len(p.Threads))
			}
			c := certify(b, p, true, order...)
			if c == nil {
				b.Fatal("not proved")
			}
			for b.Loop() {
				if err := check.Safe(b.Context(), p, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
