package check_test

import (
	"testing"
	"time"

	"comus/check"
	"comus/internal/litmus"
	"comus/internal/long"
	"comus/memory"
)

// TestAxiomsLitmus proves the programs of tasks/weak under the models that they are safe for, and no others, where they are there.
func TestAxiomsLitmus(t *testing.T) {
	litmus.Each(t, "../../shared/tasks", func(i int) bool { return long.Turn(i, 30) }, func(file string, m memory.Model, verdict string) {
		p, instr := litmus.TakenApart(t, file, m)
		start := time.Now()
		_, err := check.Axioms(t.Context(), p, &check.Certificate{Bound: 2}, m, instr)
		if (err == nil) != (verdict == "SAFE") {
			t.Errorf("%s under %s: %v, want %s; %v", file, m, err, verdict, time.Since(start))
		}
	})
}
