package directed

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/internal/deadline"
	"comus/memory"
)

// GraphOptions say how the execution graphs of a program are visited.
type GraphOptions struct {
	Model memory.Model
	// Last has other threads go on first, which visits the same graphs in another order.
	Last bool
	// Found is told of an execution that shows a target, which was replayed, and says whether no more are looked for.
	Found func(target int, ex *Execution) (enough bool)
	// Raced is told where two accesses race, again and again; volatile says that both are of volatile objects, which then count as relaxed. May be nil.
	Raced func(first, second string, volatile bool)
	// Each is told of each execution that ends. May be nil.
	Each func(*graphs.Execution)
	// Random, if it is not nil, makes random runs rather than all.
	Random *rand.Rand
	// Guide, if it is not nil, makes one run as it says.
	Guide *graphs.Guide
	// Runs is how many runs are made at most; 0: a million.
	Runs int
}

// AllGraphs says what execution graphs a program has.
type AllGraphs struct {
	Executions, Blocked int
	Sum                 uint64 // of the numbers of the graphs of executions that end
	// Complete says that all were visited, and that they are all that the program can do; otherwise Why is why not.
	Complete bool
	Why      string
	// Unsupported says that the program does what graphs are not made for, so that more of them tell nothing.
	Unsupported bool
	// Assumed are the sentences that the runs rest on.
	Assumed []string
	// Shown says which targets an execution shows.
	Shown []bool
}

// AssumeVolatile is taken for granted where threads access volatile objects at the same time: a data race in C.
const AssumeVolatile = "accesses of volatile objects at the same time are no data races, but count as relaxed atomic accesses"

// Graphs visits the execution graphs that a memory model allows. The error is for a program that the interpreter cannot run.
//
// Where there is a data race, a program may do anything. To show what, they are visited once more, with plain accesses of what races as if they were relaxed: compilers and processors let them see that much.
func Graphs(ctx context.Context, p *cir.Program, targets []Target, o GraphOptions) (*AllGraphs, error) {
	onlyRaces := !slices.ContainsFunc(targets, func(t Target) bool { return t.Race == nil })
	if onlyRaces || o.Random != nil {
		return newVisit(p, targets, o).all(ctx)
	}
	var racy places
	shown := make([]bool, len(targets))
	for range mostRacy {
		v := newVisit(p, targets, o)
		v.racy, v.untilRace = racy, true
		copy(v.found.Shown, shown)
		all, err := v.all(ctx)
		if err != nil || v.newRacy == nil {
			if err == nil && all.Unsupported && racy != nil {
				break
			}
			return all, err
		}
		racy, shown = append(slices.Clone(racy), v.newRacy...), v.found.Shown
	}
	v := newVisit(p, targets, o)
	copy(v.found.Shown, shown)
	return v.all(ctx)
}

// mostRacy is how often what races is made more.
const mostRacy = 5

// places are ranges of places.
type places []struct{ at, size uint64 }

func (p places) has(at uint64) bool {
	return slices.ContainsFunc(p, func(r struct{ at, size uint64 }) bool { return at >= r.at && at < r.at+r.size })
}

// visit is a visit of all graphs.
type visit struct {
	p         *cir.Program
	targets   []Target
	o         GraphOptions
	x         *graphs.Explorer
	racy      places
	untilRace bool // it ends where there is a race of something else

	mu      sync.Mutex // of what its workers find
	over    bool       // nothing more is looked for
	newRacy places     // what races that was not known to
	inexact string
	found   *AllGraphs
}

func newVisit(p *cir.Program, targets []Target, o GraphOptions) *visit {
	v := &visit{p: p, targets: targets, o: o, found: &AllGraphs{Shown: make([]bool, len(targets))}}
	goesOn := !slices.ContainsFunc(targets, func(t Target) bool { return t.Race == nil }) // a race before an assertion fails is one
	v.x = graphs.New(p, graphs.Options{Model: o.Model, GoOn: goesOn, Last: o.Last, Runs: o.Runs, Random: o.Random, Guide: o.Guide, Racy: func(at uint64) bool { return v.racy.has(at) }})
	return v
}

// helpAfter is how long one worker visits graphs alone.
const helpAfter = 200 * time.Millisecond

// all makes the visit: if it takes long, by two workers.
func (v *visit) all(ctx context.Context) (*AllGraphs, error) {
	within, stop := context.WithCancel(ctx)
	defer stop()
	defer v.x.Stop() // a worker may wait for one that has failed
	type end struct {
		err    error
		failed any // what it has panicked with
	}
	helped := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			if e.failed = recover(); e.failed != nil {
				v.x.Stop()
			}
			helped <- e
		}()
		if v.o.Random == nil && v.o.Guide == nil && runtime.GOMAXPROCS(0) > 1 && deadline.Elapses(within, helpAfter) {
			e.err = v.work(within)
		}
	}()
	err := v.work(within)
	if v.x.Done() || v.isOver() || err != nil {
		stop()
	}
	e := <-helped
	if e.failed != nil { // whoever has asked says what comes of it
		panic(e.failed)
	}
	if err == nil {
		err = e.err
	}
	if err != nil {
		return nil, err
	}
	a := v.found
	if v.newRacy != nil {
		return a, nil
	}
	a.tell(v.x.Report(), v.inexact)
	if a.Why == "" && !a.Complete {
		a.Why = "the time is over"
	}
	return a, nil
}

func (v *visit) isOver() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.over
}

// work makes runs until there are no more.
func (v *visit) work(ctx context.Context) error {
	var lib *library
	w := &graphs.Worker{Run: func(input func(string, cir.Type) (lo, hi uint64)) interp.Options {
		var opt interp.Options
		opt, lib = options(v.p, &Execution{Args: []string{"program"}}, nil, input)
		opt.MaxSteps = exhaustSteps
		return opt
	}}
	for !v.x.Done() && ctx.Err() == nil && !v.isOver() {
		run, err := v.x.NextBy(ctx, w)
		if err != nil {
			return err
		}
		if run != nil {
			v.look(ctx, run, lib)
		}
	}
	return nil
}

// look looks at a run.
func (v *visit) look(ctx context.Context, run *graphs.Execution, lib *library) {
	sum := uint64(0)
	if !run.Blocked {
		sum = run.Sum()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	a := v.found
	if why := inexactly(run.Result, lib); why != "" && v.inexact == "" {
		v.inexact = why
	}
	if !slices.Contains(a.Assumed, AssumeVolatile) && slices.ContainsFunc(run.Graph.Events, func(e memory.Event) bool { return e.Volatile }) {
		a.Assumed = append(a.Assumed, AssumeVolatile)
	}
	switch {
	case v.over:
	case a.shows(ctx, v.p, v.targets, run, v.o):
		a.Why, v.over = "there are enough", true
	case v.races(run.Result):
		v.over = true
	case !run.Blocked:
		a.Sum += sum
		if v.o.Each != nil {
			v.o.Each(run)
		}
	}
}

// races tells of a race, and reports whether the visit ends there.
func (v *visit) races(res *interp.Result) (ends bool) {
	for _, r := range res.Races {
		if r.Hidden || r.Handlers {
			continue
		}
		if v.o.Raced != nil {
			v.o.Raced(PlaceOf(&r.First), PlaceOf(&r.Second), r.First.Volatile && r.Second.Volatile)
		}
		if v.untilRace && r.Place != 0 && !v.racy.has(r.Place) && !v.newRacy.has(r.Place) {
			v.newRacy = append(v.newRacy, struct{ at, size uint64 }{r.Place, max(r.Size, 1)})
		}
	}
	return v.newRacy != nil
}

// shows looks for targets in a run.
func (a *AllGraphs) shows(ctx context.Context, p *cir.Program, targets []Target, run *graphs.Execution, o GraphOptions) (enough bool) {
	for i := range targets {
		t := &targets[i]
		if !t.seenIn(run.Result) || a.Shown[i] && o.Found == nil {
			continue
		}
		a.Shown[i] = true
		if o.Found == nil {
			continue
		}
		ex := &Execution{Args: []string{"program"}, Graph: run.Graph}
		res, on, err := ReplayWith(ctx, p, ex, t, func(*interp.Options) {})
		switch {
		case ctx.Err() != nil:
			return true
		case err != nil || !t.Shown(res) || len(on) > 0:
			continue // another one may be followed
		}
		if o.Found(i, ex) {
			return true
		}
	}
	return false
}

// inexactly returns why a run may be none of the program's, or there may be more of them; "": it is one.
func inexactly(res *interp.Result, lib *library) string {
	unset, decides := Unset(res)
	switch on := lib.approximations(res); {
	case len(on) > 0:
		return on[0]
	case decides || len(unset) > 0:
		return "memory is read that nobody has written"
	case res.Outcome == interp.Missing:
		return "a function without a body is called: " + res.Why
	case len(res.Races) > 0 || res.Unjudged:
		return "there is a data race"
	}
	return ""
}

// tell says what all runs were.
func (a *AllGraphs) tell(r *graphs.Report, inexact string) {
	a.Executions, a.Blocked, a.Unsupported = r.Runs, r.Blocked, r.Unsupported
	for _, n := range r.Notes {
		if n.Check == "assumption" && !slices.Contains(a.Assumed, n.Why) {
			a.Assumed = append(a.Assumed, n.Why)
		}
	}
	slices.Sort(a.Assumed)
	switch {
	case a.Why != "":
	case !r.Complete:
		a.Why = r.Why
	case inexact != "":
		a.Why = inexact
	case r.Inputs:
		a.Why = "the program has inputs"
	case r.Choices:
		a.Why = "functions of the library may do one thing or another"
	case r.Unfinished:
		a.Why = "the program ends while threads are still running"
	default:
		a.Complete = true
	}
}
