package comus_test

import (
	"testing"

	"comus/comus"
	"comus/comus/engine"
	"comus/examples/gen"
	"comus/internal/genprog"
	"comus/internal/long"
	"comus/seqmc"
)

// TestDemand verifies programs whose property needs the main thread's neighbours
// (mat) or more (pas), with and without trying the neighbours first.
func TestDemand(t *testing.T) {
	long.Only(t)
	for _, tt := range []struct {
		kind     string
		noDemand bool
		checks   int
	}{{"mat", false, 1}, {"mat", true, 1}, {"pas", false, 2}, {"pas", true, 1}} {
		p := genprog.Program(t, tt.kind, gen.Options{Threads: 4})
		r, err := comus.VerifyProgram(t.Context(), p, comus.Options{Options: engine.Options{NoDemand: tt.noDemand}, NoSimulate: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != seqmc.Safe || r.Stats.Checks != tt.checks {
			t.Errorf("%s, NoDemand %v: %v (%s) with %d checks, want %d", tt.kind, tt.noDemand, r.Verdict, r.Reason, r.Stats.Checks, tt.checks)
		}
	}
}
