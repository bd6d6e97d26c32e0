package comus_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/query"
	"comus/seqmc"
)

var (
	fuzzPrograms = flag.Int("comus.programs", 600, "number of random programs to compare with the explorer")
	fuzzSeed     = flag.Uint64("comus.seed", 1, "first seed of the random programs")
)

// TestAgainstExplorer compares verdicts on random programs, each with seeds and
// without, with the explicit-state oracle. A wrong verdict fails the test; how
// many programs were decided is printed.
func TestAgainstExplorer(t *testing.T) {
	configs := []struct {
		name string
		opts comus.Options
	}{
		{"default", comus.Options{}},
		{"no seeds", comus.Options{NoSeed: true}},
		{"no generalization", comus.Options{NoSeed: true, Query: query.Options{NoGeneralize: true, NoProject: true}}},
		{"no reduction", comus.Options{NoReduction: true}},
	}
	decided := make([]map[string]int, len(configs))
	for i := range decided {
		decided[i] = map[string]int{}
	}
	oracle := map[string]int{}
	for i := range *fuzzPrograms {
		seed := *fuzzSeed + uint64(i)
		src := randprog.Generate(seed, randprog.Options{})
		want, err := exploreSource(src)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		oracle[want.String()]++
		// Every program runs in the default configuration, and in one other.
		for _, c := range []int{0, 1 + i%(len(configs)-1)} {
			got := verifySource(t, src, configs[c].opts)
			decided[c][got.Verdict.String()]++
			if wrong(want, got.Verdict) {
				t.Errorf("seed %d, %s: %v, but the explorer says %v\n%s", seed, configs[c].name, got.Verdict, want, src)
			}
			if got.Verdict == seqmc.Unknown && got.Reason != "timeout" {
				t.Logf("seed %d, %s: %s", seed, configs[c].name, got.Reason)
			}
		}
	}
	t.Logf("explorer: %v", oracle)
	for i, c := range configs {
		t.Logf("%-18s %v", c.name, decided[i])
	}
	fmt.Printf("differential test: %d programs, explorer %v, default configuration %v\n", *fuzzPrograms, oracle, decided[0])
}

func wrong(want explore.Verdict, got seqmc.Verdict) bool {
	return want == explore.Safe && got == seqmc.Unsafe || want == explore.Unsafe && got == seqmc.Safe
}

func parse(src string) (*ir.Program, error) {
	res, err := cfront.Parse("random.c", []byte(src), cfront.Options{})
	if err != nil {
		return nil, err
	}
	return res.Program, nil
}

func exploreSource(src string) (explore.Verdict, error) {
	p, err := parse(src)
	if err != nil {
		return 0, err
	}
	if err := p.Check(); err != nil {
		return 0, err
	}
	r, err := explore.Explore(context.Background(), p, explore.Options{MaxStates: 200_000})
	return r.Verdict, err
}

func verifySource(t *testing.T, src string, opts comus.Options) *comus.Result {
	t.Helper()
	p, err := parse(src)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	res, err := comus.VerifyProgram(ctx, p, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return res
}
