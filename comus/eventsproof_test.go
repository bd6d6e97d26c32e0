package comus_test

import (
	"testing"

	"comus/comus"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/seqmc"
)

// TestPartialOrderWithEndlessLoops gives the strategy partial-order programs whose loops
// are never gone around completely: a proof is that of the modular algorithm, a violation
// its own.
func TestPartialOrderWithEndlessLoops(t *testing.T) {
	for _, c := range []struct {
		kind   string
		opts   gen.Options
		want   seqmc.Verdict
		engine string
	}{
		{"pet", gen.Options{Threads: 2}, seqmc.Safe, "modular"},
		{"pipe", gen.Options{Threads: 3}, seqmc.Safe, "modular"},
		{"pipe", gen.Options{Threads: 3, Unsafe: true}, seqmc.Unsafe, "partial-order"},
	} {
		src, err := gen.Generate(c.kind, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := csource.Parse(c.kind+".c", []byte(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parsed.Program.Renumber()
		r, err := comus.VerifyProgram(t.Context(), parsed.Program, comus.Options{Strategy: "partial-order", NoSimulate: true})
		if err != nil || r.Verdict != c.want || r.Engine != c.engine {
			t.Errorf("%s: %v by %s (%s, %v), want %v by %s", c.kind, r.Verdict, r.Engine, r.Reason, err, c.want, c.engine)
		}
		if r.Certificate == nil {
			t.Errorf("%s: no certificate", c.kind)
		}
	}
}
