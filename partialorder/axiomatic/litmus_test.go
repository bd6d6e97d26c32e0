package axiomatic_test

import (
	"testing"
	"time"

	"comus/internal/litmus"
	"comus/internal/long"
	"comus/memory"
	"comus/partialorder/axiomatic"
)

// TestLitmus compares verdicts with those of the judge of tasks/weak, where that is there.
func TestLitmus(t *testing.T) {
	litmus.Each(t, "../../../shared/tasks", func(i int) bool { return long.Turn(i, 30) }, func(file string, m memory.Model, want string) {
		start := time.Now()
		p, instr := litmus.TakenApart(t, file, m)
		apart := time.Since(start)
		got, err := axiomatic.Find(t.Context(), p, axiomatic.Options{Model: m, Unwind: 4, Instr: instr})
		verdict := "UNKNOWN"
		switch {
		case err != nil:
		case got.Execution != nil:
			verdict = "UNSAFE"
		case got.Complete:
			verdict = "SAFE"
		}
		if took := time.Since(start); verdict != want {
			t.Errorf("%s under %s: %s (%v); want %s; %v, %v", file, m, verdict, err, want, apart, took)
		}
	})
}
