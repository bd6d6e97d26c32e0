package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"comus/comus"
	"comus/comus/engine"
	"comus/examples/gen"
	"comus/internal/genprog"
	"comus/resourceinv"
	"comus/seqmc"
	"comus/threadmodular"
)

// TestWithout proves programs with techniques switched off: what the others find is a proof all the same, and
// what nothing else finds is not there.
func TestWithout(t *testing.T) {
	relay := string(genprog.Source(t, "relay", gen.Options{Threads: 3}))
	alike := string(genprog.Source(t, "alike", gen.Options{Threads: 20}))
	for _, tt := range []struct {
		name, text string
		opts       comus.Options
		proved     bool
	}{
		{"guesses", relay, comus.Options{Options: engine.Options{Resources: resourceinv.Options{NoGuesses: true}}}, true},
		{"ranges", relay, comus.Options{Options: engine.Options{Resources: resourceinv.Options{NoRanges: true}}}, true},
		{"watch", relay, comus.Options{Options: engine.Options{Resources: resourceinv.Options{NoWatch: true}}}, true},
		{"lemmas, pairs, places", alike, comus.Options{Options: engine.Options{Every: threadmodular.Options{NoLemmas: true, NoPairs: true, NoPlaced: true}}}, true},
		{"census", alike, comus.Options{Options: engine.Options{Every: threadmodular.Options{NoCensus: true}}}, false},
		{"bounds", alike, comus.Options{Options: engine.Options{Every: threadmodular.Options{NoBounds: true}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if !tt.proved {
				limit = 3 * time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			tt.opts.Alone, tt.opts.Strategy = true, "resource-invariants"
			if tt.text == alike {
				tt.opts.Strategy = "thread-modular"
			}
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			res, err := comus.Verify(ctx, file, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Verdict; got == seqmc.Unsafe || (got == seqmc.Safe) != tt.proved {
				t.Errorf("%v (%s), proved should be %v", got, res.Reason, tt.proved)
			}
			t.Logf("%d solver calls", res.Stats.SolverCalls)
		})
	}
}
