package comus_test

import (
	"strings"
	"testing"

	"comus/comus"
	"comus/comus/engine"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/genprog"
	"comus/internal/long"
	"comus/seqmc"
)

// TestRelational verifies rings of sums, whose bound is about all threads at once: it
// is proved with one sequential check (and one with facts about neighbours only where
// there are many threads), the bound less one is violated.
func TestRelational(t *testing.T) {
	long.Only(t)
	for _, tt := range []struct {
		threads  int
		old, new string
		verdict  seqmc.Verdict
		checks   int // at most
	}{
		{2, "", "", seqmc.Safe, 1},
		{3, "", "", seqmc.Safe, 1},
		{3, "<= 15", "<= 14", seqmc.Unsafe, 100},
		{4, "", "", seqmc.Safe, 1},
		{5, "", "", seqmc.Safe, 2},
	} {
		src := strings.Replace(string(genprog.Source(t, "fib", gen.Options{Threads: tt.threads, Ring: true})), tt.old, tt.new, 1)
		res, err := csource.Parse("fib.c", []byte(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := comus.VerifyProgram(t.Context(), res.Program, comus.Options{NoSimulate: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != tt.verdict || r.Stats.Checks > tt.checks {
			t.Errorf("%d threads, %s: %v (%s) with %d checks, want %d", tt.threads, tt.new, r.Verdict, r.Reason, r.Stats.Checks, tt.checks)
		}
	}
}

// TestNoRelational verifies a ring without such bounds: it takes more checks.
func TestNoRelational(t *testing.T) {
	p := genprog.Program(t, "fib", gen.Options{Threads: 2, Ring: true})
	r, err := comus.VerifyProgram(t.Context(), p, comus.Options{Options: engine.Options{NoRelational: true}, NoSimulate: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != seqmc.Safe || r.Stats.Checks < 2 {
		t.Errorf("%v (%s) with %d checks", r.Verdict, r.Reason, r.Stats.Checks)
	}
}
