package comus_test

import (
	"errors"
	"path/filepath"
	"testing"

	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/seqmc"
)

// TestOrdersWithLoops verifies programs whose loops end by the strategy partial-order, and
// checks their certificates again: with the bound found, and with one that is too small.
func TestOrdersWithLoops(t *testing.T) {
	for _, tt := range []struct {
		file  string
		needs bool // a bound
	}{
		{"loop_sum.c", true}, {"duff_safe.c", true}, {"pointer_loop_safe.c", true}, // loops that end by their values
		{"condvar.c", true},                             // waits for a condition
		{"tas_lock.c", false}, {"counter_cas.c", false}, // waits without an effect
	} {
		t.Run(tt.file, func(t *testing.T) {
			long.OneOf(t, 3)
			file := filepath.Join("..", "cfront", "testdata", "run", tt.file)
			r, err := comus.Verify(t.Context(), file, comus.Options{Options: engine.Options{Alone: true}, Strategy: "partial-order"})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != seqmc.Safe || r.CheckSolver == "" {
				t.Fatalf("%v: %s; by %q", r.Verdict, r.Reason, r.CheckSolver)
			}
			again, err := comus.Check(t.Context(), file, r.Certificate)
			if err != nil || again.CheckSolver == "" {
				t.Error(again, err)
			}
			r.Certificate.Bound = 0
			if _, err := comus.Check(t.Context(), file, r.Certificate); tt.needs && !errors.Is(err, check.ErrBound) {
				t.Errorf("with bound 0: %v", err)
			}
		})
	}
}
