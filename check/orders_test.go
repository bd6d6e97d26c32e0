package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/check"
	"comus/internal/randprog"
	"comus/ir/explore"
	"comus/ir/passes"
)

// TestOrders compares the encoding of all executions with the explorer, on random
// programs without loops: it proves those that are safe, and no others.
func TestOrders(t *testing.T) {
	proved, refuted := 0, 0
	for seed := range uint64(300) {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(randprog.Generate(seed+40_000, randprog.Options{Features: randprog.Feature(seed * 2654435761 >> 7)})), 0o644); err != nil {
			t.Fatal(err)
		}
		res, err := cfront.ParseFile(file, cfront.Options{})
		if err != nil {
			continue // some combinations of features are refused
		}
		res.Program.Renumber()
		names := passes.Default()
		if seed%2 == 0 {
			names = []string{}
		}
		r, err := passes.Run(res.Program, names)
		if err != nil {
			t.Fatal(err)
		}
		r.Program.Renumber()
		oracle, err := explore.Explore(t.Context(), r.Program, explore.Options{MaxStates: 100_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		_, err = check.Orders(t.Context(), r.Program)
		switch {
		case err == nil && oracle.Verdict == explore.Unsafe:
			t.Fatalf("seed %d: an unsafe program was proved safe", seed)
		case err == nil:
			proved++
		case strings.Contains(err.Error(), "an execution that fails"):
			refuted++
			if oracle.Verdict == explore.Safe {
				t.Errorf("seed %d: a safe program was not proved: %v", seed, err)
			}
		case !strings.Contains(err.Error(), "has a loop"):
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%d proved, %d refuted", proved, refuted)
	if proved < 20 || refuted < 20 {
		t.Errorf("too few programs: %d proved, %d refuted", proved, refuted)
	}
}
