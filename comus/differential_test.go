package comus_test

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"sync"
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
	fuzzPrograms = flag.Int("comus.programs", 520, "number of random programs to compare with the explorer")
	fuzzSeed     = flag.Uint64("comus.seed", 1, "first seed of the random programs")
	fuzzAll      = flag.Bool("comus.all", false, "use all features of the generator, and every configuration for every program")
	fuzzTimeout  = flag.Duration("comus.limit", 4*time.Second, "time for each verification")
)

// configurations are the variants of the algorithm that are compared. The first
// is the default.
var configurations = []struct {
	name  string
	every uint64 // of how many programs one is verified so, without -comus.all
	opts  comus.Options
}{
	{"default", 1, comus.Options{}},
	{"step by step", 6, comus.Options{NoConcretize: true}}, // the modular algorithm alone
	{"no seeds", 64, comus.Options{NoSeed: true, NoConcretize: true}},
	{"plain", 64, comus.Options{NoSeed: true, NoConcretize: true, Passes: []string{}, Query: query.Options{NoGeneralize: true, NoProject: true}}},
	{"no reduction", 64, comus.Options{NoReduction: true}},
	{"no passes", 32, comus.Options{Passes: []string{}}},
	{"no demand", 32, comus.Options{NoDemand: true}},
	{"no batch", 64, comus.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoBatch: true}}},
	{"one path", 64, comus.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoMultiPath: true}}},
	{"no cache", 64, comus.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoCache: true}}},
	{"not parallel", 64, comus.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoParallel: true}}},
	{"no guide", 64, comus.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoGuide: true}}},
}

// tally counts verdicts.
type tally struct {
	sync.Mutex
	oracle  map[explore.Verdict]int
	decided []map[seqmc.Verdict]int
}

// TestAgainstExplorer compares verdicts on random programs with the explicit-state
// oracle. Every program is verified in the default configuration, and some in others
// as well. A wrong verdict fails the test; how many programs were
// decided is printed.
func TestAgainstExplorer(t *testing.T) {
	sum := tally{oracle: map[explore.Verdict]int{}}
	for range configurations {
		sum.decided = append(sum.decided, map[seqmc.Verdict]int{})
	}
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := range seeds {
				compare(t, seed, &sum)
			}
		})
	}
	for i := range *fuzzPrograms {
		seeds <- *fuzzSeed + uint64(i)
	}
	close(seeds)
	wg.Wait()
	for i, c := range configurations {
		t.Logf("%-14s %v", c.name, sum.decided[i])
	}
	d := sum.decided[0]
	fmt.Printf("differential test: %d programs (explorer: %v); default configuration decided %d: %v\n",
		*fuzzPrograms, sum.oracle, d[seqmc.Safe]+d[seqmc.Unsafe], d)
	if d[seqmc.Safe]+d[seqmc.Unsafe] < *fuzzPrograms*8/10 {
		t.Errorf("fewer than 80 %% of the programs were decided")
	}
}

// compare verifies one random program in the configurations that are its turn.
func compare(t *testing.T, seed uint64, sum *tally) {
	opts := randprog.Options{}
	if *fuzzAll {
		opts.Features = randprog.All
	}
	src := randprog.Generate(seed, opts)
	want, err := exploreSource(src)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, src)
		return
	}
	sum.Lock()
	sum.oracle[want]++
	sum.Unlock()
	for i, c := range configurations {
		if !*fuzzAll && (seed+7*uint64(i))%c.every != 0 {
			continue
		}
		got, err := verifySource(src, c.opts)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, src)
			return
		}
		sum.Lock()
		sum.decided[i][got.Verdict]++
		sum.Unlock()
		if want == explore.Safe && got.Verdict == seqmc.Unsafe || want == explore.Unsafe && got.Verdict == seqmc.Safe {
			t.Errorf("seed %d, %s: %v, but the explorer says %v\n%s", seed, c.name, got.Verdict, want, src)
		}
		if got.Verdict == seqmc.Unknown {
			t.Logf("seed %d, %s: %s", seed, c.name, got.Reason)
		}
	}
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
	r, err := explore.Explore(context.Background(), p, explore.Options{MaxStates: 500_000})
	return r.Verdict, err
}

func verifySource(src string, opts comus.Options) (*comus.Result, error) {
	p, err := parse(src)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), *fuzzTimeout)
	defer cancel()
	return comus.VerifyProgram(ctx, p, opts)
}
