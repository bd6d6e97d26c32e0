package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/check"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
)

// randomProgram returns the IR of a random program, before or after the passes, and what
// the explorer says; nil if it is none that can be decided.
func randomProgram(t *testing.T, seed uint64) (*ir.Program, explore.Verdict) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	features := randprog.Feature(seed * 2654435761 >> 7)
	if seed%3 > 0 {
		features |= randprog.Loops | randprog.Jumps
	}
	if err := os.WriteFile(file, []byte(randprog.Generate(seed+40_000, randprog.Options{Features: features})), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := cfront.Options{}
	if seed%3 == 1 {
		opts.UnrollLimit = 1 // leave the loops
	}
	res, err := cfront.ParseFile(file, opts)
	if err != nil {
		return nil, explore.Unknown // some combinations of features are refused
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
	oracle, err := explore.Explore(t.Context(), r.Program, explore.Options{MaxStates: 60_000})
	if err != nil {
		return nil, explore.Unknown
	}
	return r.Program, oracle.Verdict
}

// TestOrders compares the encoding of all executions with the explorer, on random
// programs: it proves none that is unsafe, with any bound, and refutes none that is safe.
func TestOrders(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(orderSeeds()) {
		p, verdict := randomProgram(t, seed)
		if verdict == explore.Unknown {
			continue
		}
		loops := hasLoop(p)
		for _, bound := range []int{int(seed % 2), 4} {
			_, err := check.Orders(t.Context(), p, &check.Certificate{Bound: bound})
			what := "other"
			switch {
			case err == nil:
				what = "proved"
				if verdict == explore.Unsafe {
					t.Fatalf("seed %d: an unsafe program was proved safe, with bound %d", seed, bound)
				}
			case errors.Is(err, check.ErrBound):
				what = "bound"
				if !loops {
					t.Errorf("seed %d: the bound is not enough for a program without loops", seed)
				}
			case strings.Contains(err.Error(), "an execution that fails"):
				what = "refuted"
				if verdict == explore.Safe {
					t.Errorf("seed %d: a safe program was not proved with bound %d: %v", seed, bound, err)
				}
			default:
				t.Logf("seed %d, bound %d: %v", seed, bound, err)
			}
			count[what]++
			if loops {
				count["loops, "+what]++
			}
		}
	}
	t.Log(count)
	for _, what := range []string{"proved", "refuted", "loops, proved", "loops, refuted", "loops, bound"} {
		if count[what] < 20 {
			t.Errorf("only %d %s", count[what], what)
		}
	}
}

// orderSeeds is how many random programs are tried; COMUS_ORDERS_SEEDS says otherwise.
func orderSeeds() int {
	if n, err := strconv.Atoi(os.Getenv("COMUS_ORDERS_SEEDS")); err == nil {
		return n
	}
	return 400
}

// hasLoop reports whether a thread has a loop.
func hasLoop(p *ir.Program) bool {
	for _, t := range p.Threads {
		lo, hi := t.Components()
		for i, l := range t.Locs {
			for _, e := range l.Out {
				if lo[i] < hi[i] || e.To == l {
					return true
				}
			}
		}
	}
	return false
}
