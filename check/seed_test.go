package check_test

import (
	"strings"
	"testing"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
)

// TestSeedsAreInductive lets the checker prove the facts of package locpairs about
// random programs, the sparse ones and those about some threads too.
func TestSeedsAreInductive(t *testing.T) {
	variants := map[string]func(n int, near func(radius int) []bool) []bool{
		"all, dense where cheap": func(int, func(int) []bool) []bool { return nil },
		"all, sparse": func(n int, _ func(int) []bool) []bool {
			all := make([]bool, n)
			for i := range all {
				all[i] = true
			}
			return all
		},
		"neighbours":      func(_ int, near func(int) []bool) []bool { return near(1) },
		"one and creator": func(_ int, near func(int) []bool) []bool { return near(0) },
	}
	for name, choose := range variants {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(long.N(40, 6)) {
				src := randprog.Generate(seed, randprog.Options{Threads: 2 + int(seed%2), MaxStatements: 4})
				res, err := csource.Parse("test.c", []byte(src), csource.Options{})
				if err != nil {
					t.Fatal(err)
				}
				p := res.Program
				p.Renumber()
				graphs := cutpoints.Compute(p, cutpoints.Options{})
				last := len(p.Threads) - 1
				near := choose(len(p.Threads), func(r int) []bool { return locpairs.Near(p, last, r) })
				facts, err := locpairs.Analyze(t.Context(), p, graphs, locpairs.Options{Near: near})
				if err != nil {
					t.Fatal(err)
				}
				c := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE",
					Facts: facts.Invariant().SMTLIB(), Threads: describe(graphs)}
				err = check.Safe(t.Context(), p, c)
				if err != nil && !strings.HasPrefix(err.Error(), "there is no run for thread") {
					t.Errorf("seed %d, near %v: %v\n%s", seed, near, err, src)
				}
			}
		})
	}
}

// describe writes down the threads' locations for a certificate.
func describe(graphs []*cutpoints.Graph) []check.Thread {
	var out []check.Thread
	for _, g := range graphs {
		ct := check.Thread{Thread: g.Thread.Index}
		for _, n := range g.Nodes {
			if !n.Error {
				ct.Nodes = append(ct.Nodes, n.Index)
			}
			if g.Cut[n.Index] {
				ct.Cuts = append(ct.Cuts, n.Index)
			}
		}
		out = append(out, ct)
	}
	return out
}
