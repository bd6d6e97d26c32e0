package randrace

import (
	"os/exec"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/long"
)

// TestPrograms compiles programs with gcc, and runs them: some have races, some have none, and most come to their end.
func TestPrograms(t *testing.T) {
	racy, ended, runs := 0, 0, 0
	programs := long.N(40, 10)
	for seed := range uint64(programs) {
		text := Program(seed)
		if text != Program(seed) {
			t.Fatalf("seed %d: two programs", seed)
		}
		if seed < 10 {
			c := exec.Command("gcc", "-x", "c", "-fsyntax-only", "-Werror=incompatible-pointer-types", "-")
			c.Stdin = strings.NewReader(text)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, err, out, text)
			}
		}
		p, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		r, err := sample.Run(t.Context(), p.Program, sample.Options{Runs: 10, Races: true})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if len(r.Races) > 0 {
			racy++
		}
		ended += r.Outcomes[interp.Exited]
		runs += r.Runs
	}
	t.Logf("%d of %d programs have races, %d of %d runs came to their end", racy, programs, ended, runs)
	if racy == 0 || racy == programs || ended < runs/3 {
		t.Errorf("%d of %d programs have races, %d of %d runs came to their end", racy, programs, ended, runs)
	}
}

// TestQueues reads programs with containers: all are C.
func TestQueues(t *testing.T) {
	for seed := uint64(1); seed <= uint64(long.N(300, 60)); seed++ {
		text := Queues(seed)
		if text != Queues(seed) {
			t.Fatalf("seed %d: two programs", seed)
		}
		if _, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

// TestCounts reads programs with objects that count their references: all are C.
func TestCounts(t *testing.T) {
	for seed := uint64(1); seed <= 100; seed++ {
		text := Counts(seed)
		if text != Counts(seed) {
			t.Fatalf("seed %d: two programs", seed)
		}
		if _, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
}
