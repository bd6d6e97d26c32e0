package directed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/dpor"
	"comus/scan/certificate"
)

// All says that all executions of a program with some inputs were run, up to equivalence.
type All struct {
	Executions int
	// Without are the targets that none of them shows, by their numbers.
	Without []int
}

// TheseInputs are the inputs that all executions have.
const TheseInputs = "no arguments, nothing to read, 0 for all other inputs, and nothing fails or wakes up without a reason"

// exhaustive is the try to run all executions of a program.
type exhaustive struct {
	explorer *dpor.Explorer
	ex       *Execution // what the run depends on that is made now
	lib      *library
	took     time.Duration
	shown    []bool // which targets an execution has shown
	others   []bool // which targets are also about what threads have done that no other one notices: memory that is left, who has come to where they wait
	inexact  bool   // an execution may be none of the program's
	broken   bool   // such runs cannot be made
}

// Such runs begin after some others, and have a part of the time of all; there are at most so many, and they have so many events and steps: if there are more, random ones are better.
const (
	exhaustAfter  = 20
	exhaustParts  = 8
	exhaustRuns   = 20_000
	exhaustEvents = 400
	exhaustSteps  = 1 << 17
)

// exhaust makes runs on the way to all executions, as long as there is time for them. It is called before a random run.
func (h *runner) exhaust(ctx context.Context, run int) error {
	if h.opts.All == nil || run < exhaustAfter {
		return nil
	}
	if h.all == nil {
		h.all = h.newExhaustive()
	}
	for a := h.all; !a.broken && !a.explorer.Done() && a.took < (h.briefly+h.fully+a.took)/exhaustParts && h.open() && h.goesOn(ctx); {
		if err := h.exhaustOne(ctx); err != nil {
			return err
		}
		if all := a.result(); all != nil {
			h.opts.All(all)
		}
	}
	return nil
}

// newExhaustive returns a try that has made no run yet.
func (h *runner) newExhaustive() *exhaustive {
	a := &exhaustive{shown: make([]bool, len(h.targets))}
	for _, t := range h.targets {
		a.others = append(a.others, t.Leaks || t.Circles)
	}
	a.explorer = dpor.New(h.p, dpor.Options{Runs: exhaustRuns, Events: exhaustEvents, Run: func(input func(string, cir.Type) (lo, hi uint64)) interp.Options {
		a.ex = &Execution{Args: []string{"program"}, Signalled: true}
		var opt interp.Options
		opt, a.lib = options(h.p, a.ex, nil, input)
		opt.MaxSteps = exhaustSteps
		opt.Circles = slices.ContainsFunc(h.targets, func(t Target) bool { return t.Circles })
		opt.Leaks = slices.ContainsFunc(h.targets, func(t Target) bool { return t.Leaks })
		return opt
	}})
	return a
}

// exhaustOne makes one run, and keeps what it shows.
func (h *runner) exhaustOne(ctx context.Context) error {
	a := h.all
	start := time.Now()
	run, err := a.explorer.Next(ctx)
	took := time.Since(start)
	a.took += took
	if err != nil || ctx.Err() != nil {
		a.broken = err != nil
		return nil
	}
	defer h.rest(ctx, took)
	if run == nil {
		return nil
	}
	h.opts.Stats.add(run.Result, false)
	a.inexact = a.inexact || a.isInexact(run.Result)
	for _, t := range run.Turns {
		a.ex.Turns = append(a.ex.Turns, certificate.Turn(t))
	}
	for _, x := range run.Inputs {
		a.ex.Inputs = append(a.ex.Inputs, certificate.Input(x))
	}
	for i := range h.targets {
		t := &h.targets[i]
		if !t.seenIn(run.Result) {
			continue
		}
		if a.shown[i] = true; h.enough || h.found[i].clean() {
			continue
		}
		if err := h.confirm(ctx, i, a.ex); err != nil {
			return err
		}
	}
	return nil
}

// isInexact reports whether a run may be none of the program's, or may show less than there is: behind what is undefined, as races are, or if it depends on what memory holds that nobody has written.
func (a *exhaustive) isInexact(res *interp.Result) bool {
	unset, decides := Unset(res)
	return len(a.lib.approximations(res)) > 0 || decides || len(unset) > 0 || res.Outcome == interp.Undefined || res.Outcome == interp.Missing || len(res.Races) > 0 || res.Unjudged
}

// result returns what all executions have shown, nil if not all were run.
func (a *exhaustive) result() *All {
	r := a.explorer.Report()
	if !r.Complete || a.inexact {
		return nil
	}
	all := &All{Executions: r.Runs}
	for i, shown := range a.shown {
		if !shown && !(a.others[i] && r.Unfinished) {
			all.Without = append(all.Without, i)
		}
	}
	return all
}

// String says it in words.
func (a *All) String() string {
	switch a.Executions {
	case 1:
		return "the only execution with these inputs was run"
	case 2:
		return "both executions with these inputs were run"
	}
	return fmt.Sprintf("all %d executions with these inputs were run", a.Executions)
}
