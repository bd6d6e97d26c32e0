package comus_test

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/comus"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir/explore"
	"comus/seqmc"
)

// strategies are the names of all engines.
var strategies = []string{"modular", "thread-modular", "partial-order", "unbounded", "lazy", "eager", "explore"}

// alone returns the options for one engine and nothing beside it.
func alone(strategy string) comus.Options {
	return comus.Options{Options: engine.Options{Alone: true}, Strategy: strategy}
}

// examples has the verdict of each example, and the engines that have to find it.
var examples = map[string]struct {
	want    seqmc.Verdict
	decided []string
}{
	"counter_lock":       {seqmc.Safe, strategies},
	"counter_race":       {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager", "explore"}},
	"dekker":             {seqmc.Safe, []string{"modular", "thread-modular", "unbounded", "explore"}},
	"dekker_broken":      {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager", "explore"}},
	"peterson":           {seqmc.Safe, []string{"modular", "thread-modular", "unbounded", "explore"}},
	"peterson_broken":    {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager", "explore"}},
	"producer_consumer":  {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager", "explore"}},
	"sum_matrix2":        {seqmc.Safe, []string{"modular", "thread-modular", "partial-order", "unbounded", "lazy", "eager"}},
	"sum_matrix2_broken": {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager"}},
	"sum_matrix3":        {seqmc.Safe, []string{"modular", "partial-order", "lazy", "eager"}},
	"sum_matrix3_broken": {seqmc.Unsafe, []string{"modular", "partial-order", "unbounded", "lazy", "eager"}},
}

// TestStrategies decides every example with every engine. A verdict is always the right
// one; the engines of the table have to have one, the others get a moment.
func TestStrategies(t *testing.T) {
	files, err := filepath.Glob("../examples/*.c")
	if err != nil || len(files) != len(examples) {
		t.Fatalf("there are %d examples, and %d in the table; %v", len(files), len(examples), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		for _, s := range strategies {
			t.Run(name+"/"+s, func(t *testing.T) {
				long.OneOf(t, 8)
				t.Parallel()
				limit, must := 300*time.Millisecond, slices.Contains(examples[name].decided, s)
				if must {
					limit = time.Minute
				}
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				r, err := comus.Verify(ctx, file, alone(s))
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict == seqmc.Unknown && !must {
					return
				}
				if r.Verdict != examples[name].want || r.Engine != s {
					t.Errorf("%v of engine %s (%s), want %v", r.Verdict, r.Engine, r.Reason, examples[name].want)
				}
				if r.Certificate == nil {
					t.Error("there is no certificate")
				}
			})
		}
	}
}

// TestBlocked decides programs in which a thread waits forever, behind and before a write.
func TestBlocked(t *testing.T) {
	for file, want := range map[string]seqmc.Verdict{"blocked_after_write_safe": seqmc.Safe, "blocked_after_write_unsafe": seqmc.Unsafe} {
		for _, s := range []string{"modular", "partial-order", "lazy", "eager", "unbounded", "explore"} {
			r, err := comus.Verify(t.Context(), filepath.Join("../cfront/testdata/run", file+".c"), comus.Options{Strategy: s, Passes: []string{}})
			if err != nil || r.Verdict != want {
				t.Errorf("%s, %s: %v, %v, want %v", file, s, r, err, want)
			}
		}
	}
}

// TestTimeoutWhileReading ends the time while the program is read, and later: that is no error, but Unknown.
func TestTimeoutWhileReading(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 40 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		r, err := comus.Verify(ctx, "../examples/dekker.c", alone("lazy"))
		cancel()
		if err != nil || r.Verdict != seqmc.Unknown || r.Reason != "timeout" {
			t.Errorf("after %v: %v, %v, want UNKNOWN: timeout", limit, r, err)
		}
	}
}

// TestTimeout gives strategies that deepen forever a program with loops.
func TestTimeout(t *testing.T) {
	for _, s := range []string{"partial-order", "lazy", "eager", "unbounded"} {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			r, err := comus.Verify(ctx, "../examples/dekker.c", comus.Options{Strategy: s})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == seqmc.Unsafe || r.Verdict == seqmc.Unknown && r.Reason != "timeout" {
				t.Errorf("%v, %q", r.Verdict, r.Reason)
			}
			if r.Elapsed > 20*time.Second {
				t.Errorf("the timeout was noticed after %v", r.Elapsed)
			}
		})
	}
}

// sampleEvery is the part of the front end's test programs that every engine gets, and
// sampleTime how long.
const (
	sampleEvery = 20
	sampleTime  = 3 * time.Second
)

// TestStrategiesOnRunPrograms gives some of the front end's test programs that the explorer
// can decide (-comus.every: all of them) to every engine: no verdict is wrong.
func TestStrategiesOnRunPrograms(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/run/*.c")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	sum := agreement{of: map[explore.Verdict]int{}, decided: map[string]int{}}
	queue := make(chan string)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for file := range queue {
				sum.compare(t, file)
			}
		})
	}
	for i, file := range files {
		if i%long.N(sampleEvery, 10*sampleEvery) == 0 || *fuzzEvery {
			queue <- file
		}
	}
	close(queue)
	wg.Wait()
	t.Logf("%v, decided: %v", sum.of, sum.decided)
	if testing.Short() {
		return // too few to tell
	}
	for _, s := range []string{"modular", "partial-order", "unbounded", "lazy", "eager", "explore"} {
		if n := sum.of[explore.Safe] + sum.of[explore.Unsafe]; sum.decided[s]*10 < n*7 {
			t.Errorf("%s decided %d of %d", s, sum.decided[s], n)
		}
	}
	if n := sum.of[explore.Safe]; sum.decided["thread-modular"]*10 < n*4 {
		t.Errorf("thread-modular proved %d of %d", sum.decided["thread-modular"], n)
	}
}

// agreement counts how many programs there are of each verdict, and how many each engine
// decides.
type agreement struct {
	mu      sync.Mutex
	of      map[explore.Verdict]int
	decided map[string]int
}

// compare gives a program to every engine, if the explorer decides it.
func (a *agreement) compare(t *testing.T, file string) {
	src, err := csource.ParseFile(file, csource.Options{})
	if err != nil {
		t.Error(err)
		return
	}
	src.Program.Renumber()
	want, err := explore.Explore(t.Context(), src.Program, explore.Options{MaxStates: 100_000})
	if err != nil || want.Verdict == explore.Unknown || len(src.Program.Bounded) > 0 {
		return
	}
	a.mu.Lock()
	a.of[want.Verdict]++
	a.mu.Unlock()
	for _, s := range strategies {
		ctx, cancel := context.WithTimeout(t.Context(), sampleTime)
		r, err := comus.Verify(ctx, file, alone(s))
		cancel()
		switch {
		case err != nil:
			t.Error(err)
		case r.Verdict == seqmc.Unknown:
			if s != "thread-modular" || want.Verdict == explore.Safe {
				t.Logf("%s: %s: %s", s, filepath.Base(file), r.Reason)
			}
		case strings.EqualFold(r.Verdict.String(), want.Verdict.String()):
			a.mu.Lock()
			a.decided[s]++
			a.mu.Unlock()
		default:
			t.Errorf("%s: %s is %v, not %v", s, file, want.Verdict, r.Verdict)
		}
	}
}
