package replay

import (
	"context"
	"fmt"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/ir"
)

// Translation validation (Pnueli, Siegel, Singerman 1998) by runs: what package specialise makes of a program has to have every execution of the program.
// A run of the interpreter of cir is one. It is cut into units: an instruction that a thread performs, or all of an atomic section (validate_trace.go). Then the
// program of ir has to take the same steps in the same order, and read the same values (validate_follow.go). If it cannot, specialise has lost an
// execution, or has made a wrong value, and no proof about the program of ir counts.
//
// Where the program of ir does more than the program, that is allowed: an input, memory that nobody has written, or an approximation may have any value. So what is
// refuted is wrong; what is followed is right as far as the run went.

// Validation is what a run says about a program of ir.
type Validation struct {
	Seed  uint64
	Units int  // of the run
	Steps int  // of ir that were matched
	Open  bool // too many ways to follow the run: nothing is known
	// Lost says what the program of ir cannot do; "" if it follows the run.
	Lost string
}

// ValidateOptions bound a validation.
type ValidateOptions struct {
	Seed     uint64
	MaxSteps int64 // of the run; 0: 4000
	Work     int   // edges of ir that are tried; 0: 200,000
	Asserts  bool  // prog is asked about assertions: one that fails in the run has to fail there
	Wakeups  bool  // waits on condition variables end only when they are signalled: for deadlocks
}

// Validate runs the program once, under a random schedule, and has prog follow. The error is that of the context, or of a program that the interpreter cannot run.
func Validate(ctx context.Context, p *cir.Program, prog *ir.Program, opt ValidateOptions) (*Validation, error) {
	if err := prog.Single(); err != nil {
		return nil, err
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = 4000
	}
	if opt.Work == 0 {
		opt.Work = 200_000
	}
	f := newFollower(ctx, p, prog, opt.Work)
	tr := newTrace(f.numbers, f.origins)
	res, err := traced(ctx, p, tr, hasHandlers(prog), opt)
	if err != nil {
		return nil, err
	}
	f.units, f.trace = tr.finish(res), tr
	if opt.Asserts && res.Outcome == interp.AssertFails {
		f.units = append(f.units, unit{thread: res.Thread, fails: true})
	}
	v := &Validation{Seed: opt.Seed, Units: len(f.units)}
	f.follow(ctx, v)
	return v, ctx.Err()
}

// traced makes the run.
func traced(ctx context.Context, p *cir.Program, tr *trace, interrupted bool, opt ValidateOptions) (*interp.Result, error) {
	wakeups := 0
	if opt.Wakeups {
		wakeups = 1
	}
	o := interp.Options{Scheduler: sample.Schedule(opt.Seed), Nondet: sample.Inputs(sample.Rand(opt.Seed)), External: unknown,
		MaxSteps: opt.MaxSteps, MaxMemory: 1 << 26, Unset: true, Wakeups: wakeups, Tracer: tr}
	if interrupted {
		o.Handlers, o.Victim = true, anyVictim(opt.Seed)
	}
	return interp.Run(ctx, p, o)
}

// follow looks for an execution of ir that does what the run did: at first without deviating from what is likely at each unit, then with more and
// more deviations.
func (f *follower) follow(ctx context.Context, v *Validation) {
	start, err := f.initial()
	if err != nil {
		v.Lost = err.Error()
		return
	}
	for deviations := range maxDeviations + 1 {
		f.cut = false
		if deviations == 1 && f.best != nil { // the likely way says best what is wrong
			v.Steps, v.Lost = f.best.steps, f.best.why
		}
		if end := f.from(ctx, start, deviations); end != nil {
			v.Steps, v.Lost = end.steps, ""
			return
		}
		if ctx.Err() != nil || f.work <= 0 {
			v.Open, v.Lost = true, ""
			return
		}
		if !f.cut { // there was nothing to deviate from
			break
		}
	}
	if v.Lost == "" {
		v.Steps, v.Lost = f.best.steps, f.best.why
	}
	if f.guessed { // another choice may be the right one
		v.Open, v.Lost = true, ""
	}
}

// maxDeviations is how often a run may be followed in another way than the likely one.
const maxDeviations = 2

// describe says what a thread of ir may do next, for people.
func describe(list []candidate) string {
	var all []string
	for _, c := range list {
		if c.edge == nil {
			all = append(all, "nothing more")
			continue
		}
		all = append(all, fmt.Sprintf("%s [of %v]", c.edge, c.info.origins))
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > 3 {
		all = append(all[:3], "…")
	}
	return fmt.Sprint(all)
}
