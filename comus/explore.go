package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/explore"
	"comus/seqmc"
)

// Reduction says whether an exploration leaves out interleavings that only differ
// in the order of independent steps.
type Reduction uint8

// The choices.
const (
	// ReduceAuto tries without, up to a million states, and then with.
	ReduceAuto Reduction = iota
	ReduceOn
	ReduceOff
)

// autoStates is the number of states up to which [ReduceAuto] does not reduce.
const autoStates = 1_000_000

// ExploreOptions say how [Explore] works. The zero value is the default.
type ExploreOptions struct {
	Source cfront.Options // how C is read
	Passes []string       // the passes that simplify the program first; nil for none
	Reduce Reduction
	// MaxStates, MaxBytes and MaxInputs bound the exploration: see MaxStates,
	// MaxBytes and MaxChoices of explore.Options.
	MaxStates int
	MaxBytes  int64
	MaxInputs int
	// Observe is called now and then with the number of states met and of those
	// whose steps have been taken; may be nil.
	Observe func(met, done int)
}

// ExploreResult is the outcome of [Explore].
type ExploreResult struct {
	Result
	States  int   // distinct states met
	Bytes   int64 // size of the stored states
	Reduced bool  // interleavings were left out
	// Shortest tells that no execution of fewer steps violates an assertion.
	Shortest bool
}

// Explore decides the program in a C source file by visiting its reachable states,
// which have to be few. It returns Unsafe with an execution that has been replayed,
// and Safe after package interp has taken all steps of all states again. There is
// no certificate of Safe. The error is as that of [Verify].
func Explore(ctx context.Context, file string, opts ExploreOptions) (*ExploreResult, error) {
	start := time.Now()
	src, err := cfront.ParseFile(file, opts.Source)
	if err != nil {
		return nil, err
	}
	id, err := identify(file, opts.Source)
	if err != nil {
		return nil, err
	}
	if !src.HasAssertions {
		src.Warnings = append(src.Warnings, file+": warning: the program contains no assertion: nothing can fail")
	}
	simpler, err := transform(src.Program, opts.Passes)
	if err != nil {
		return nil, err
	}
	v := &verifier{start: start, source: src.Program, simpler: simpler, p: simpler.Program}
	if len(opts.Passes) == 0 {
		v.p = src.Program
	}
	res := &ExploreResult{Result: Result{Engine: "explore", Warnings: src.Warnings, Assumptions: src.Program.Assumptions}}
	v.res = &res.Result
	if err := v.explore(ctx, opts, res); err != nil {
		res.Verdict, res.Certificate, res.Trace, res.Shortest = seqmc.Unknown, nil, emptyTrace, false
		res.Reason = reason(ctx, err)
	}
	if res.Certificate != nil {
		res.Certificate.Program = id
	}
	res.Elapsed = time.Since(start)
	return res, nil
}

// visit visits the states of a program and reports whether interleavings were left out.
func visit(ctx context.Context, p *ir.Program, opts ExploreOptions) (r explore.Result, reduced bool, err error) {
	x := explore.Options{MaxStates: opts.MaxStates, MaxBytes: opts.MaxBytes, MaxChoices: opts.MaxInputs, Recheck: true,
		Reduce: opts.Reduce == ReduceOn, Observe: opts.Observe}
	first := x
	if opts.Reduce == ReduceAuto && (x.MaxStates == 0 || x.MaxStates > autoStates) {
		first.MaxStates = autoStates
	}
	r, err = explore.Explore(ctx, p, first)
	if err == nil && r.Limit && opts.Reduce == ReduceAuto {
		x.Reduce = true
		r, err = explore.Explore(ctx, p, x)
	}
	return r, x.Reduce, err
}

// explore visits the states and confirms what comes out.
func (v *verifier) explore(ctx context.Context, opts ExploreOptions, res *ExploreResult) error {
	r, reduced, err := visit(ctx, v.p, opts)
	if err != nil {
		return err
	}
	res.States, res.Bytes, res.Reduced, res.CheckTime = r.States, r.Bytes, reduced, r.CheckTime
	switch r.Verdict {
	case explore.Safe:
		if len(v.source.Bounded) > 0 {
			return fmt.Errorf("no violation, but only within bounds: %s", v.source.Bounded[0])
		}
		res.Verdict = seqmc.Safe
		return nil
	case explore.Unsafe:
		res.Shortest = !reduced && len(opts.Passes) == 0
		return v.executed(ctx, r.Schedule, len(opts.Passes) > 0)
	}
	res.Reason = r.Reason
	return nil
}

// executed replays a schedule of v.p; after passes, one of the source that it
// stands for.
func (v *verifier) executed(ctx context.Context, sched ir.Schedule, simplified bool) error {
	if simplified {
		var err error
		if sched, err = schedule(ctx, v.source, v.simpler.Lift(stepsOf(sched)), timing.New()); err != nil {
			return err
		}
	}
	start := time.Now()
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "UNSAFE", Schedule: check.NewSchedule(v.source, sched)}
	trace, err := check.Unsafe(v.source, cert)
	if err != nil {
		return fmt.Errorf("the counterexample was not confirmed: %w", err)
	}
	v.res.CheckTime = time.Since(start)
	v.res.Verdict, v.res.Certificate, v.res.Trace = seqmc.Unsafe, cert, trace
	return nil
}

// exploreEngine decides a program by visiting its states, which have to be few.
type exploreEngine struct{}

// Name returns the engine's name.
func (exploreEngine) Name() string { return "explore" }

// Decide visits the states, without reduction at first. The check visits them again, if
// they are not too many for it: then the explorer has to confirm itself.
func (exploreEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
	r, reduced, err := visit(ctx, t.Program, ExploreOptions{})
	if err != nil {
		return Answer{}, err
	}
	switch r.Verdict {
	case explore.Safe:
		if !reduced && r.States < check.MaxStates {
			cert := t.certificate()
			cert.Method = check.MethodStates
			return Answer{Verdict: seqmc.Safe, Proof: cert}, nil
		}
		return Answer{Verdict: seqmc.Safe, confirmed: t.Program, confirmTime: r.CheckTime,
			Notes: []string{"warning: more states were visited than a certificate can stand for: there is none"}}, nil
	case explore.Unsafe:
		return Answer{Verdict: seqmc.Unsafe, Steps: stepsOf(r.Schedule)}, nil
	}
	return Answer{}, errors.New(r.Reason)
}

// stepsOf returns the edges of a schedule.
func stepsOf(s ir.Schedule) []*ir.Edge {
	var edges []*ir.Edge
	for _, st := range s.Steps {
		edges = append(edges, st.Edge)
	}
	return edges
}
