// Package genprog gives benchmarks and tests the programs of examples/gen.
package genprog

import (
	"testing"

	"comus/examples/gen"
	"comus/internal/csource"
	"comus/ir"
)

// Source generates a program.
func Source(tb testing.TB, kind string, o gen.Options) []byte {
	tb.Helper()
	src, err := gen.Generate(kind, o)
	if err != nil {
		tb.Fatal(err)
	}
	return []byte(src)
}

// Program generates a program and turns it into IR.
func Program(tb testing.TB, kind string, o gen.Options) *ir.Program {
	tb.Helper()
	return csource.Program(tb, kind+".c", string(Source(tb, kind, o)), csource.Options{})
}
