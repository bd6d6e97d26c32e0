package comus

import (
	"context"
	"time"

	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/ir"
	"comus/simulate"
	"comus/specialise"
)

// A source can be asked about other errors than those of C: who puts something into a program, as package validate does with witnesses, says by [Source.Restrict]
// what is an error in it, and asks one question at a time.

// Restrict has a function change what is an error in every reading of the source from now on.
func (s *Source) Restrict(errors func(*ir.Program)) { s.restrict = errors }

// Ask asks one question, about all properties at once. The error is as that of [Source.Verify].
func (s *Source) Ask(ctx context.Context, opts Options) (*Result, error) {
	return s.verify(ctx, opts.Complete())
}

// followMost is how long the runs of one program are made to follow a variable at most.
const followMost = 10 * time.Second

// Follow makes runs of the program taken apart on which a variable never becomes smaller, which counts what has been achieved on the way to an error. Nil is returned if no run gets there.
func (s *Source) Follow(ctx context.Context, opts Options, progress func(*ir.Program) *ir.Var) (*Result, error) {
	q, err := within(ctx, s, opts.Complete())
	if err != nil {
		none := &Result{Engine: simulator}
		if ctx.Err() != nil {
			return none.unknown(ctx, ctx.Err()), nil
		}
		return none, none.tooLarge(err)
	}
	sim := q.simulation()
	for _, r := range sim.runs {
		sched := followed(ctx, r.about, r.sim, progress)
		if res := q.undecided(simulator); sched != nil && sim.accept(sim.confirm(ctx, r.about, sched), res) {
			return res, nil
		}
	}
	return nil, nil
}

// followed returns a run of a program that reaches an error, nil if none is found, or it has no such variable.
func followed(ctx context.Context, about *confirm.Subject, sim *simulate.Simulator, progress func(*ir.Program) *ir.Var) *ir.Schedule {
	p, err := about.Base()
	if err != nil || progress(p) == nil {
		return nil
	}
	limit, stop := context.WithTimeout(ctx, followMost)
	defer stop()
	return sim.Follow(limit, progress(p))
}

// Interrupted returns the result of who had no time to answer.
func Interrupted(ctx context.Context, who string) *Result {
	return (&Result{Engine: who}).unknown(ctx, ctx.Err())
}

// Finished returns a result with the verdicts on the properties that were asked about at once, and with what it took from start on.
func (r *Result) Finished(about specialise.Checks, start time.Time, timings *timing.Timings) *Result {
	if len(r.Properties) == 0 {
		r.Properties = r.properties(about.Names())
	}
	return r.measured(start, timings)
}
