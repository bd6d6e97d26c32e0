package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/ir"
	"comus/scan/directed/world"
)

// The interpreter is led along an execution by what its steps say of instructions. Sometimes it cannot be: a race of hidden state of the library
// has no instruction, a bit-field is written by two. That the program has the violation can be shown by any run all the same.

// Bounds of the runs under random schedules.
const (
	sampledRuns  = 300
	sampledSteps = 200_000
	sampledTime  = 300 * time.Millisecond
)

// sampled makes runs under random schedules and reports whether one has the violation that an execution ends with. The error is that of the context.
func sampled(ctx context.Context, p *cir.Program, pl *plan) (bool, error) {
	end := time.Now().Add(sampledTime)
	within, stop := context.WithDeadline(ctx, end)
	defer stop()
	shown := false
	_, err := sample.Run(within, p, sample.Options{Runs: sampledRuns, MaxSteps: sampledSteps, Args: pl.args, World: worlds(),
		Races: pl.goal.Check == checkRace, Leaks: pl.atEnd(), Wakeups: pl.goal.Check == checkDeadlock, Reads: pl.readsUnset(),
		Until: func(res *interp.Result) bool {
			shown = exact(res) && violates(pl, res) || slices.ContainsFunc(res.Races, func(r interp.Race) bool { return r.Exact && pl.race.shownBy(&r) })
			return shown || time.Now().After(end)
		}})
	if err != nil && ctx.Err() == nil {
		return false, nil // its time is over, or the interpreter cannot run the program
	}
	return shown, err
}

// worlds says what performs functions of the system: in each second run they do what they may do on some machine (package world), in the others what their models
// choose, if they have one. What another function without a body does is not known, so that the run ends.
func worlds() func(sample.Give) (interp.External, map[string]bool) {
	runs := 0
	return func(give sample.Give) (interp.External, map[string]bool) {
		if runs++; runs%2 == 0 {
			return unknown, nil
		}
		return world.New(give).Call, world.Instead
	}
}

// unknown is for functions without a body: what they do is not known, so that the run ends.
func unknown(*interp.Machine, string, []interp.Value) (interp.Value, bool, error) {
	return interp.Value{}, false, nil
}

// exact reports whether all that a run did is what the program does.
func exact(res *interp.Result) bool {
	return !res.Approximate && !slices.ContainsFunc(res.Notes, func(n interp.Note) bool { return n.Check == "approximate" })
}

// atEnd reports whether the violation is memory that is there at the end of the program.
func (pl *plan) atEnd() bool { return pl.goal.Check == checkLeak || pl.goal.Check == checkCleanup }

// violates reports whether a run, which need not have followed the execution, has a violation of the property that the execution violates.
func violates(pl *plan, res *interp.Result) bool {
	undefined := func(checks ...string) bool {
		return res.Outcome == interp.Undefined && slices.Contains(checks, res.Check) ||
			slices.ContainsFunc(res.Notes, func(n interp.Note) bool { return n.Site != nil && slices.Contains(checks, n.Check) })
	}
	switch pl.goal.Check {
	case "":
		return res.Outcome == interp.AssertFails && res.Site != nil && res.Site.Pos.Line == pl.goal.Pos.Line && res.Site.Pos.File == pl.goal.Pos.File
	case checkLeak:
		return slices.ContainsFunc(res.Leaks, func(l interp.Leak) bool { return l.Lost })
	case checkCleanup:
		return slices.ContainsFunc(res.Leaks, func(l interp.Leak) bool {
			return l.Site != nil && strings.HasSuffix(pl.goal.Text, fmt.Sprintf("%d is not freed", l.Site.Pos.Line))
		})
	case checkMemory:
		if pl.readsUnset() {
			return undefined(interp.CheckUninit, interp.CheckRead)
		}
		return undefined(interp.CheckMemory, interp.CheckBounds, interp.CheckConst, interp.CheckCall)
	case checkOverflow:
		return undefined(interp.CheckOverflow, interp.CheckShift, interp.CheckDivision, interp.CheckConversion)
	case checkLocks:
		return undefined("locks", "threads")
	case checkDeadlock:
		return res.Outcome == interp.Deadlock
	}
	return false
}

// shownBy reports whether a race is at the two places where an execution has one: of accesses of the library, where the program called it.
func (x *race) shownBy(r *interp.Race) bool {
	at := func(s *interp.Side, p ir.Pos) bool {
		return s.Site != nil && s.Site.Pos.File == p.File && s.Site.Pos.Line == p.Line && s.Site.Pos.Col == p.Col
	}
	return x != nil && (at(&r.First, x.first.pos) && at(&r.Second, x.last.pos) || at(&r.First, x.last.pos) && at(&r.Second, x.first.pos))
}
