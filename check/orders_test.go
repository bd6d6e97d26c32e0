package check_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/check"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
)

// randomProgram returns the IR of a random program, before or after the passes, and what
// the explorer says; Unknown if it is none that can be decided. Five of six have loops,
// unless these are empty.
func randomProgram(t *testing.T, seed uint64) (*ir.Program, explore.Verdict) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	features, opts := randprog.Feature(seed*2654435761>>7), csource.Options{}
	names := passes.Default()
	if seed%2 == 0 {
		names = []string{}
	}
	if seed%6 > 0 {
		features |= randprog.Loops | randprog.Jumps
		opts.UnrollLimit = 1
		names = slices.DeleteFunc(names, func(s string) bool { return s == "unroll" || s == "await" && seed%8 < 6 })
	}
	if err := os.WriteFile(file, []byte(randprog.Generate(seed+40_000, randprog.Options{Features: features})), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := csource.ParseFile(file, opts)
	if err != nil {
		return nil, explore.Unknown // some combinations of features are refused
	}
	res.Program.Renumber()
	r, err := passes.Run(res.Program, names)
	if err != nil {
		t.Fatal(err)
	}
	r.Program.Renumber()
	oracle, err := explore.Explore(t.Context(), r.Program, explore.Options{MaxStates: 30_000})
	if err != nil {
		return nil, explore.Unknown
	}
	return r.Program, oracle.Verdict
}

// cutPoints returns what a certificate says about the threads' locations.
func cutPoints(p *ir.Program) []check.Thread {
	var out []check.Thread
	for _, g := range cutpoints.Compute(p, cutpoints.Options{}) {
		t := check.Thread{Thread: g.Thread.Index}
		for _, n := range g.Nodes {
			if !n.Error {
				t.Nodes = append(t.Nodes, n.Index)
			}
			if g.Cut[n.Index] {
				t.Cuts = append(t.Cuts, n.Index)
			}
		}
		out = append(out, t)
	}
	return out
}

// TestOrders compares the encoding of all executions with the explorer, on random
// programs: it proves none that is unsafe, with any bound, and refutes none that is safe.
func TestOrders(t *testing.T) {
	t.Setenv("PATH", "") // without cvc5, which would take most of the time to start
	count := map[string]int{}
	for seed := range uint64(orderSeeds()) {
		if seed%500 == 499 {
			t.Log(seed+1, "programs:", count)
		}
		p, verdict := randomProgram(t, seed)
		if verdict == explore.Unknown {
			continue
		}
		loops := hasLoop(p)
		if loops {
			count["programs with loops"]++
		}
		for _, bound := range []int{int(seed % 3), 4} {
			c := &check.Certificate{Bound: bound}
			if bound == 4 && seed%5 > 0 {
				c.Threads = cutPoints(p)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, err := check.Orders(ctx, p, c)
			cancel()
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
				if !strings.Contains(err.Error(), "becomes larger") {
					t.Errorf("seed %d, bound %d: %v", seed, bound, err)
				}
			}
			count[what]++
			if loops {
				count["loops, "+what]++
			}
		}
	}
	t.Log(count)
	for _, what := range []string{"proved", "refuted", "loops, proved", "loops, refuted", "loops, bound"} {
		if count[what] < long.N(20, 1) {
			t.Errorf("only %d %s", count[what], what)
		}
	}
}

// orderSeeds is how many random programs are tried; COMUS_ORDERS_SEEDS says otherwise.
func orderSeeds() int {
	if n, err := strconv.Atoi(os.Getenv("COMUS_ORDERS_SEEDS")); err == nil {
		return n
	}
	return long.N(200, 30)
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
