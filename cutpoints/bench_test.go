package cutpoints_test

import (
	"testing"

	"comus/cutpoints"
	"comus/examples/gen"
	"comus/internal/genprog"
)

// BenchmarkCompute reduces programs with and without loops.
func BenchmarkCompute(b *testing.B) {
	for _, kind := range []string{"mat", "pipe", "tree"} {
		b.Run(kind, func(b *testing.B) {
			p := genprog.Program(b, kind, gen.Options{Threads: 8})
			for b.Loop() {
				cutpoints.Compute(p, cutpoints.Options{})
			}
		})
	}
}
