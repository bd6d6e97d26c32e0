// Package sample runs a program many times in the interpreter, with schedules and inputs drawn at random from a
// seed, and collects what went wrong: data races, deadlocks, leaks, failed assertions, undefined behaviour. It is
// the tests' oracle: what it finds is there; what it does not find may be there all the same.
//
// Schedules are of several kinds in turn: a choice of thread at every step; runs of some length, so that threads get far
// before others come; priorities with few random changes (Burckhardt et al. 2010), which finds what needs an
// unusual order rather than many switches.
package sample

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"comus/cir"
	"comus/cir/interp"
)

// Options say what to run.
type Options struct {
	Runs     int    // 0: 200
	Seed     uint64 // of the first run; the next ones count on
	MaxSteps int64  // of a run; 0: 1 << 20
	// What to look for besides outcomes.
	Races, Leaks bool
	// Wakeups is that of [interp.Options]: for deadlocks. Reads likewise: for what is not initialised.
	Wakeups, Reads bool
	// Handlers is that of [interp.Options]: handlers of signals interrupt threads. Races are left out then that may be none: of two handlers, and of one that runs as a thread all the same.
	Handlers bool
	// External is asked for functions without a body; nil: [Unknown].
	External interp.External
	// World, if not nil, makes what performs functions in a run instead, and says which of those with a model are performed, too. It draws what it chooses from give.
	World func(give Give) (interp.External, map[string]bool)
	Args  []string
	// Until, if not nil, ends the sampling after a run for which it is true.
	Until func(*interp.Result) bool
}

// Give gives an input of a type, as [interp.Options.Nondet] does.
type Give = func(name string, t cir.Type) (lo, hi uint64)

// Report is what runs have shown.
type Report struct {
	Runs      int
	Outcomes  map[interp.Outcome]int
	Races     []Found[interp.Race]
	Leaks     []Found[interp.Leak]
	Deadlocks []Found[[]interp.Wait] // also of some of the threads
	Failures  []Found[string]        // other ends that the program should not have: failed assertions, undefined behaviour
}

// Found is something that some runs have shown, the first of them with this seed ([One]).
type Found[T any] struct {
	What T
	Seed uint64
	Runs int
}

// Run runs a program.
func Run(ctx context.Context, p *cir.Program, opt Options) (*Report, error) {
	if opt.Runs == 0 {
		opt.Runs = 200
	}
	r := &Report{Outcomes: map[interp.Outcome]int{}}
	races, leaks, deadlocks, failures := list[interp.Race]{}, list[interp.Leak]{}, list[[]interp.Wait]{}, list[string]{}
	for i := range opt.Runs {
		seed := opt.Seed + uint64(i)
		res, err := One(ctx, p, seed, opt)
		if err != nil {
			return nil, err
		}
		r.Runs++
		r.Outcomes[res.Outcome]++
		for _, x := range res.Races {
			races.add(raceKey(&x), x, seed)
		}
		for _, x := range res.Leaks {
			leaks.add(fmt.Sprint(x.Site, x.Lost), x, seed)
		}
		if len(res.Waits) > 0 {
			deadlocks.add(waitKey(res.Waits), res.Waits, seed)
		}
		switch res.Outcome {
		case interp.AssertFails, interp.Undefined, interp.Aborted:
			failures.add(res.String(), res.String(), seed)
		}
		if opt.Until != nil && opt.Until(res) {
			break
		}
	}
	r.Races, r.Leaks, r.Deadlocks, r.Failures = races.found, leaks.found, deadlocks.found, failures.found
	return r, nil
}

// One is the run of a seed.
func One(ctx context.Context, p *cir.Program, seed uint64, opt Options) (*interp.Result, error) {
	inputs := Inputs(Rand(seed))
	external, instead := opt.External, map[string]bool(nil)
	switch {
	case opt.World != nil:
		external, instead = opt.World(inputs)
	case external == nil:
		external = Unknown
	}
	steps := opt.MaxSteps
	if steps == 0 {
		steps = 1 << 20
	}
	wakeups := 0
	if opt.Wakeups {
		wakeups = 1
	}
	res, err := interp.Run(ctx, p, interp.Options{Args: opt.Args, Scheduler: Schedule(seed), Nondet: inputs, External: external, Instead: instead,
		MaxSteps: steps, MaxMemory: 1 << 28, Handlers: opt.Handlers, Races: opt.Races, Leaks: opt.Leaks, Wakeups: wakeups, Reads: opt.Reads})
	if res != nil && opt.Handlers {
		res.Races = slices.DeleteFunc(res.Races, func(r interp.Race) bool { return r.Handlers || !r.Exact })
	}
	return res, err
}

// Rand returns the source of a seed's inputs.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// Inputs returns values that are small more often than not; half of the runs have few choices of the library's other than 0.
func Inputs(r *rand.Rand) Give {
	calm := r.IntN(2) == 0
	return func(name string, t cir.Type) (lo, hi uint64) {
		k := r.IntN(8)
		switch {
		case name == "" && (calm && k > 0 || k > 3), k == 0:
			return 0, 0
		case t.IsFloat(), k < 5:
			return uint64(r.IntN(4)), 0
		case k < 7:
			v := int64(r.IntN(40) - 10)
			return uint64(v), uint64(v >> 63)
		}
		return r.Uint64(), r.Uint64()
	}
}

// Unknown is for functions of the library without a model: nothing happens, and the result is 0.
func Unknown(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
	return interp.Value{}, true, nil
}

// list collects what is found, by keys.
type list[T any] struct {
	at    map[string]int
	found []Found[T]
}

func (l *list[T]) add(key string, x T, seed uint64) {
	if l.at == nil {
		l.at = map[string]int{}
	}
	i, ok := l.at[key]
	if !ok {
		i = len(l.found)
		l.at[key] = i
		l.found = append(l.found, Found[T]{What: x, Seed: seed})
	}
	l.found[i].Runs++
}

// raceKey is the same for races at the same places.
func raceKey(r *interp.Race) string {
	a, b := sideKey(&r.First), sideKey(&r.Second)
	if b < a {
		a, b = b, a
	}
	return a + " " + b + " " + r.Object
}

func sideKey(s *interp.Side) string { return fmt.Sprint(s.Site, s.Via, s.Write, s.Atomic) }

// waitKey is the same for threads that wait at the same places.
func waitKey(ws []interp.Wait) string {
	key := ""
	for _, w := range ws {
		key += fmt.Sprint(w.Site, w.Via, w.Object, " ")
	}
	return key
}
