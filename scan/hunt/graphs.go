package hunt

import (
	"context"
	"math/rand/v2"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/memory"
)

// GraphOptions say how the execution graphs of a program are visited.
type GraphOptions struct {
	Model memory.Model
	// Last has other threads go on first, which visits the same graphs in another order.
	Last bool
	// Found is told of an execution that shows a target, which was replayed, and says whether no more are looked for.
	Found func(target int, ex *Execution) (enough bool)
	// Each is told of each execution that ends. May be nil.
	Each func(*graphs.Execution)
	// Random, if it is not nil, makes random runs rather than all.
	Random *rand.Rand
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

// Graphs visits the execution graphs that a memory model allows. The error is for a program that the interpreter cannot run.
func Graphs(ctx context.Context, p *cir.Program, targets []Target, o GraphOptions) (*AllGraphs, error) {
	all := &AllGraphs{Shown: make([]bool, len(targets))}
	var lib *library
	goesOn := !slices.ContainsFunc(targets, func(t Target) bool { return t.Race == nil }) // a race before an assertion fails is one
	x := graphs.New(p, graphs.Options{Model: o.Model, GoOn: goesOn, Last: o.Last, Runs: o.Runs, Random: o.Random, Run: func(input func(string, cir.Type) (lo, hi uint64)) interp.Options {
		var opt interp.Options
		opt, lib = options(p, &Execution{Args: []string{"program"}}, nil, input)
		opt.MaxSteps = exhaustSteps
		return opt
	}})
	inexact := ""
	for !x.Done() && ctx.Err() == nil {
		run, err := x.Next(ctx)
		if err != nil {
			return nil, err
		}
		if run == nil {
			continue
		}
		if why := inexactly(run.Result, lib); why != "" && inexact == "" {
			inexact = why
		}
		if all.shows(ctx, p, targets, run, o) {
			all.Why = "there are enough"
			break
		}
		if !run.Blocked {
			all.Sum += run.Sum()
			if o.Each != nil {
				o.Each(run)
			}
		}
	}
	all.tell(x.Report(), inexact)
	if all.Why == "" && !all.Complete {
		all.Why = "the time is over"
	}
	return all, nil
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
