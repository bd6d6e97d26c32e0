package cfront_test

import (
	"bytes"
	"testing"

	"comus/cfront"
	"comus/examples/gen"
	"comus/internal/genprog"
)

// BenchmarkParse reads a program of some 400 lines and turns it into IR.
func BenchmarkParse(b *testing.B) {
	src := genprog.Source(b, "tree", gen.Options{Threads: 35})
	for b.Loop() {
		if _, err := cfront.Parse("tree.c", src, cfront.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(bytes.Count(src, []byte("\n"))), "lines")
}

// BenchmarkParseSmall reads a small program: what the headers take, mostly.
func BenchmarkParseSmall(b *testing.B) {
	src := genprog.Source(b, "pet", gen.Options{Threads: 2})
	for b.Loop() {
		if _, err := cfront.Parse("pet.c", src, cfront.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
