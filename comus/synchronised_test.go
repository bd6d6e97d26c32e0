package comus_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/comus"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/scan/pointsto"
	"comus/specialise"
)

var (
	syncPrograms = flag.Int("comus.synchronised", 25, "number of random programs whose races and deadlocks are compared with runs of the interpreter")
	syncSeed     = flag.Uint64("comus.synchronised-seed", 1, "first seed of these programs")

	syncEngines = flag.String("comus.synchronised-engines", "", "strategies that are asked, too, in turn; separated by commas")
	syncLimit   = flag.Duration("comus.synchronised-limit", 2*time.Second, "time for each engine")

	unsetPrograms = flag.Int("comus.unset", 25, "number of random programs whose reads of what is not initialised are compared with runs of the interpreter")
	unsetSeed     = flag.Uint64("comus.unset-seed", 1, "first seed of these programs")
)

// judged is what is found out about one property of one program.
type judged struct {
	shown   string // a violation that a run of the interpreter shows; "" if none does
	visited string // the verdict of the explorer
	engine  string // that of the default engine
	other   string // that of another one, if one is asked
}

// TestSynchronised asks about races and deadlocks of random programs: what runs of the interpreter show, which know nothing
// of how the question is asked, the explorer finds, too; what the explorer finds, runs show; and engines agree.
func TestSynchronised(t *testing.T) {
	judgeMany(t, *syncPrograms, *syncSeed, randprog.Synchronised, specialise.Race, specialise.Deadlock)
}

// TestUninitialised asks about reads of what is not initialised.
func TestUninitialised(t *testing.T) {
	judgeMany(t, *unsetPrograms, *unsetSeed, randprog.Unset, specialise.Memory)
}

// judgeMany asks about properties of n random programs.
func judgeMany(t *testing.T, n int, first uint64, text func(seed uint64) string, properties ...string) {
	if testing.Short() {
		n /= 4
	}
	var mu sync.Mutex
	tally := map[string]int{}
	slots := make(chan bool, 2)
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; all.Done() }()
			seed := first + uint64(i)
			for _, property := range properties {
				other := ""
				if *syncEngines != "" {
					all := strings.Split(*syncEngines, ",")
					other = all[i%len(all)]
				}
				j, err := judge(t.Context(), text(seed), property, other)
				mu.Lock()
				tally[fmt.Sprintf("%s: explore %s", property, short(j.visited))]++
				tally[fmt.Sprintf("%s: engine %s", property, short(j.engine))]++
				if other != "" {
					tally[fmt.Sprintf("%s: %s %s", property, other, short(j.other))]++
				}
				mu.Unlock()
				if err != nil {
					t.Errorf("seed %d, %s: %v\n%s", seed, property, err, text(seed))
				}
			}
		}()
	}
	all.Wait()
	t.Log(tally)
}

// short shortens a reason.
func short(verdict string) string {
	if verdict != "SAFE" && verdict != "UNSAFE" {
		return "UNKNOWN"
	}
	return verdict
}

// judge finds out about a property of a program, also by another strategy, if one is named; the error is for those who disagree.
func judge(ctx context.Context, text, property, other string) (j judged, err error) {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
	if err != nil {
		return j, err
	}
	checks, err := specialise.ChecksNamed([]string{property})
	if err != nil {
		return j, err
	}
	if j.visited, err = visited(ctx, p.Program, checks); err != nil {
		return j, err
	}
	runs := 150
	if j.visited == "UNSAFE" {
		runs = 5000 // until one shows it
	}
	if j.shown, err = shown(ctx, p.Program, property, runs); err != nil {
		return j, err
	}
	switch {
	case j.shown != "" && j.visited == "SAFE":
		return j, fmt.Errorf("the explorer says SAFE, but a run shows %s", j.shown)
	case j.shown == "" && j.visited == "UNSAFE":
		return j, fmt.Errorf("the explorer says UNSAFE, but no run shows it")
	}
	if j.engine, err = decided(ctx, text, checks, ""); err == nil {
		err = j.denies(j.engine)
	}
	if err == nil && other != "" {
		if j.other, err = decided(ctx, text, checks, other); err == nil {
			err = j.denies(j.other)
		}
	}
	return j, err
}

// denies returns an error if an engine says what the explorer or a run denies.
func (j judged) denies(engine string) error {
	switch {
	case short(engine) != "UNKNOWN" && short(j.visited) != "UNKNOWN" && engine != j.visited:
		return fmt.Errorf("the engine says %s, the explorer %s", engine, j.visited)
	case engine == "SAFE" && j.shown != "":
		return fmt.Errorf("the engine says SAFE, but a run shows %s", j.shown)
	}
	return nil
}

// visited returns the verdict of the explorer.
func visited(ctx context.Context, p *cir.Program, checks specialise.Checks) (string, error) {
	pts, err := pointsto.Analyse(ctx, p)
	if err != nil {
		return "", err
	}
	res, err := specialise.Specialise(ctx, p, pts, specialise.Options{Check: checks})
	if err != nil {
		return "", err
	}
	if err := res.Program.Check(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := explore.Explore(ctx, res.Program, explore.Options{MaxStates: 300_000})
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(r.Schedule.Steps, func(s ir.Step) bool { return s.Edge.Approx != "" }) {
		return "UNKNOWN: it depends on an approximation", nil
	}
	return r.Verdict.String(), nil
}

// shown returns a violation that runs of the interpreter show.
func shown(ctx context.Context, p *cir.Program, property string, runs int) (string, error) {
	found := func(r *interp.Result) bool {
		return property == specialise.Race && len(r.Races) > 0 || property == specialise.Deadlock && len(r.Waits) > 0 || property == specialise.Memory && r.Outcome == interp.Undefined
	}
	r, err := sample.Run(ctx, p, sample.Options{Runs: runs, MaxSteps: 20000, Races: property == specialise.Race,
		Wakeups: property == specialise.Deadlock, Reads: property == specialise.Memory, Until: found})
	switch {
	case err != nil:
		return "", err
	case property == specialise.Race && len(r.Races) > 0:
		return fmt.Sprintf("a race of %+v and %+v", r.Races[0].What.First, r.Races[0].What.Second), nil
	case property == specialise.Deadlock && len(r.Deadlocks) > 0:
		return fmt.Sprintf("that these wait: %+v", r.Deadlocks[0].What), nil
	case property == specialise.Memory && len(r.Failures) > 0:
		return r.Failures[0].What, nil
	}
	return "", nil
}

// decided returns the verdict of an engine, the default one if none is named.
func decided(ctx context.Context, text string, checks specialise.Checks, strategy string) (string, error) {
	dir, err := os.MkdirTemp("", "comus-synchronised-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := dir + "/r.c"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, *syncLimit)
	defer cancel()
	res, err := comus.Verify(ctx, file, comus.Options{Strategy: strategy, Source: cfront.Options{NoHost: true}, Question: specialise.Options{Check: checks}})
	if err != nil {
		return "", err
	}
	return res.Verdict.String(), nil
}
