package comus_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/query"
	"comus/seqmc"
)

var (
	fuzzPrograms = flag.Int("comus.programs", 80, "number of random programs to compare with the explorer")
	fuzzSeed     = flag.Uint64("comus.seed", 1, "first seed of the random programs")
	fuzzAll      = flag.Bool("comus.all", false, "use all features of the generator")
	fuzzMore     = flag.Bool("comus.more", false, "use the features More of the generator, with others")
	fuzzEvery    = flag.Bool("comus.every", false, "use every configuration for every program")
	fuzzEngines  = flag.String("comus.engines", "", "use these configurations for every program, names separated by commas, and no others; all: every engine")
	fuzzFeatures = flag.Uint64("comus.features", 0, "the features of the generator, as a number, instead of a mixture")
	fuzzTimeout  = flag.Duration("comus.limit", 2*time.Second, "time for each verification in the default configuration; the others have an eighth, as many of them are slow")
)

// configuration is a way to verify that is compared with the oracle.
type configuration struct {
	name   string
	verify func(context.Context, *ir.Program) (outcome, error)
	engine bool // it is one of the engines, for -comus.engines=all
	source csource.Options
	text   func(context.Context, string) (outcome, error) // instead of verify: of the source
}

// outcome is what one configuration says about a program.
type outcome struct {
	verdict seqmc.Verdict
	reason  string // Unknown: why
}

// configurations are the variants of the algorithm that are compared, and the
// explorer with its reduction. The first is the default.
var configurations = []configuration{
	ofEngine("default", comus.Options{NoSimulate: true}),
	{name: "step by step", verify: modular(comus.Options{Options: engine.Options{NoConcretize: true}, NoSimulate: true})}, // the modular algorithm alone
	{name: "no seeds", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true}, NoSimulate: true})},
	{name: "plain", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoGeneralize: true, NoProject: true}}, NoSimulate: true, Passes: []string{}})},
	{name: "no reduction", verify: modular(comus.Options{NoSimulate: true, NoReduction: true})},
	{name: "no passes", verify: modular(comus.Options{NoSimulate: true, Passes: []string{}})},
	{name: "no demand", verify: modular(comus.Options{Options: engine.Options{NoDemand: true}, NoSimulate: true})},
	{name: "no batch", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoBatch: true}}, NoSimulate: true})},
	{name: "one path", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoMultiPath: true}}, NoSimulate: true})},
	{name: "no cache", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoCache: true}}, NoSimulate: true})},
	{name: "not parallel", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoParallel: true}}, NoSimulate: true})},
	{name: "no guide", verify: modular(comus.Options{Options: engine.Options{NoSeed: true, NoConcretize: true, Query: query.Options{NoGuide: true}}, NoSimulate: true})},
	{name: "reduced explorer", verify: reduced, engine: true},
	{name: "simulation first", verify: modular(comus.Options{})},
	ofEngine("partial-order", comus.Options{NoSimulate: true, Strategy: "partial-order"}),
	ofEngine("lazy", comus.Options{NoSimulate: true, Strategy: "lazy"}),
	ofEngine("eager", comus.Options{NoSimulate: true, Strategy: "eager"}),
	ofEngine("unbounded", comus.Options{NoSimulate: true, Strategy: "unbounded"}),
	ofEngine("states", comus.Options{NoSimulate: true, Strategy: "explore"}),
	{name: "scan", text: scanned, engine: true},
	{name: "thread-modular", verify: every, engine: true, source: csource.Options{Parametric: true}},
}

// ofEngine is a configuration that is one of the engines.
func ofEngine(name string, opts comus.Options) configuration {
	return configuration{name: name, verify: modular(opts), engine: true}
}

// scanned asks about each assertion by itself.
func scanned(ctx context.Context, src string) (outcome, error) {
	dir, err := os.MkdirTemp("", "comus")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "random.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		return outcome{}, err
	}
	r, err := comus.Verify(ctx, file, comus.Options{Strategy: "scan", Source: cfront.Options{NoHost: true}})
	switch {
	case err != nil && ctx.Err() != nil:
		return outcome{reason: "timeout"}, nil
	case err != nil:
		return outcome{}, err
	}
	return outcome{r.Verdict, r.Reason}, nil
}

// every looks for a proof for every number of threads.
func every(ctx context.Context, p *ir.Program) (outcome, error) {
	proved, err := comus.ProveEvery(ctx, p)
	if !proved {
		return outcome{verdict: seqmc.Unknown}, err
	}
	return outcome{verdict: seqmc.Safe}, nil
}

// modular verifies with these options.
func modular(opts comus.Options) func(context.Context, *ir.Program) (outcome, error) {
	return func(ctx context.Context, p *ir.Program) (outcome, error) {
		r, err := comus.VerifyProgram(ctx, p, opts)
		if err != nil {
			return outcome{}, err
		}
		return outcome{r.Verdict, r.Reason}, nil
	}
}

// reduced explores without the interleavings that only differ in the order of
// independent steps.
func reduced(ctx context.Context, p *ir.Program) (outcome, error) {
	p.Renumber()
	r, err := explore.Explore(ctx, p, explore.Options{MaxStates: oracleStates, Reduce: true})
	if errors.Is(err, context.DeadlineExceeded) {
		return outcome{reason: err.Error()}, nil
	}
	verdicts := map[explore.Verdict]seqmc.Verdict{explore.Safe: seqmc.Safe, explore.Unsafe: seqmc.Unsafe, explore.Unknown: seqmc.Unknown}
	return outcome{verdicts[r.Verdict], r.Reason}, err
}

// oracleStates is where the explorer gives up: the program is skipped.
const oracleStates = 100_000

// TestAgainstExplorer compares verdicts on random programs with the explicit-state
// oracle. Every program is verified in the default configuration, and in one more
// in turn, or in those of -comus.engines. A wrong verdict fails the test, and the program is made small and
// stored, see report. A table of what was decided is printed.
func TestAgainstExplorer(t *testing.T) {
	sum := newTally()
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := range seeds {
				compare(t, seed, sum)
				sum.progress(seed)
			}
		})
	}
	n := *fuzzPrograms
	if flag.Lookup("comus.programs").DefValue == strconv.Itoa(n) { // nobody asks for more, or fewer
		n = long.N(n, 12)
	}
	for i := range n {
		seeds <- *fuzzSeed + uint64(i)
	}
	close(seeds)
	wg.Wait()
	sum.table()
	if d := sum.decided[0]; turn(0, 0) && d.count[seqmc.Safe]+d.count[seqmc.Unsafe] < sum.compared()*8/10 {
		t.Errorf("fewer than 80 %% of the programs were decided")
	}
}

// turn reports whether the program of a seed is verified in this configuration.
func turn(seed uint64, i int) bool {
	if names := *fuzzEngines; names != "" {
		return names == "all" && configurations[i].engine || slices.Contains(strings.Split(names, ","), configurations[i].name)
	}
	others := uint64(len(configurations) - 1)
	return i == 0 || *fuzzEvery || uint64(i) == 1+seed%others
}

// features returns what the program of a seed may contain. Of five programs one has
// one or two of the features that are not Basic; with -comus.all, half have all
// that were there first and the others a few of the others as well.
func features(seed uint64) randprog.Feature {
	if *fuzzFeatures != 0 {
		return randprog.Feature(*fuzzFeatures)
	}
	more := []randprog.Feature{randprog.Pointers, randprog.Indexes, randprog.Conditions, randprog.Stdatomic, randprog.Jumps, randprog.Crowds}
	if semaphores() {
		more = append(more, randprog.Semaphores)
	}
	if retargets() {
		more = append(more, randprog.Pointers|randprog.Retargets)
	}
	pick := func(n uint64) randprog.Feature { return more[n%uint64(len(more))] }
	switch {
	case *fuzzMore:
		return moreFeatures(seed)
	case *fuzzAll && seed%2 == 0:
		return randprog.All
	case *fuzzAll:
		return randprog.All | pick(seed/2) | pick(seed/3) | pick(seed/5)
	case seed%5 == 4:
		return randprog.Basic | pick(seed/5) | pick(seed/7)
	case seed%5 == 2:
		return randprog.Basic | randprog.More
	}
	return randprog.Basic
}

// moreFeatures returns More with a mixture of the others.
func moreFeatures(seed uint64) randprog.Feature {
	switch seed % 4 {
	case 0:
		return randprog.Full &^ randprog.Crowds
	case 1:
		return randprog.More | randprog.Basic | randprog.Pointers | randprog.Retargets | randprog.Indexes | randprog.Jumps
	case 2:
		return randprog.More
	}
	return randprog.More | randprog.Basic
}

// statements returns how many statements each thread of the program has at most; 0
// is the generator's default. The programs of a long run are smaller, which makes
// more of them.
func statements(seed uint64) int {
	if !*fuzzAll && !*fuzzMore {
		return 0
	}
	return 3 + int(seed/16%3)
}

// semaphores and retargets report whether the front end reads these features.
var (
	semaphores = reads("#include <semaphore.h>\nsem_t s;\nint main(void) { sem_init(&s, 0, 1); sem_wait(&s); sem_post(&s); return 0; }\n")
	retargets  = reads(`#include <pthread.h>
int x, y, *p = &x;
void *worker(void *arg) { p = &y; return 0; }
int main(void) { pthread_t t; int *l = &x; pthread_create(&t, 0, worker, 0); if (x) l = &y; *p = *l; return 0; }
`)
)

func reads(src string) func() bool {
	return sync.OnceValue(func() bool {
		_, err := parse(src)
		return err == nil
	})
}

// compare verifies one random program in the configurations that are its turn.
func compare(t *testing.T, seed uint64, sum *tally) {
	src := randprog.Generate(seed, randprog.Options{Features: features(seed), MaxStatements: statements(seed)})
	want, err := exploreSource(src)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, src)
		return
	}
	sum.explored(want)
	if want == explore.Unknown {
		return
	}
	for i, c := range configurations {
		if !turn(seed, i) {
			continue
		}
		start := time.Now()
		got, err := verifySource(src, c)
		sum.verified(i, got.verdict, err != nil || wrong(want, got.verdict), time.Since(start))
		if err != nil || wrong(want, got.verdict) {
			report(t, seed, src, c, sum)
		}
	}
}

// wrong reports whether a verdict contradicts the oracle.
func wrong(want explore.Verdict, got seqmc.Verdict) bool {
	return want == explore.Safe && got == seqmc.Unsafe || want == explore.Unsafe && got == seqmc.Safe
}

func parse(src string) (*ir.Program, error) { return parseWith(src, csource.Options{}) }

func parseWith(src string, opts csource.Options) (*ir.Program, error) {
	res, err := csource.Parse("random.c", []byte(src), opts)
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
	r, err := explore.Explore(context.Background(), p, explore.Options{MaxStates: oracleStates})
	return r.Verdict, err
}

func verifySource(src string, c configuration) (out outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	limit := *fuzzTimeout
	if c.name != configurations[0].name {
		limit /= 8
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if c.text != nil {
		return c.text(ctx, src)
	}
	p, err := parseWith(src, c.source)
	if err != nil {
		return outcome{}, err
	}
	return c.verify(ctx, p)
}
