package confirm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/replay"
	"comus/seqmc"
	"comus/wp"
	"comus/z3"
)

// errMore is the error for an execution of a program for every number of threads.
var errMore = errors.New("a program with any number of threads, or in which calls are left out, has more executions than the source")

// Unsafe turns the steps of a violation, edges of the program after the passes, into a
// schedule of the program before them, and replays it. The error is a [Suspicion] for one that
// depends on approximations.
func (s *Subject) Unsafe(ctx context.Context, steps []*ir.Edge) (Answer, error) {
	if s.Every() || s.ID.Cut > 0 {
		return Answer{}, errMore
	}
	if _, err := s.Simplify(); err != nil {
		return Answer{}, err
	}
	base, err := s.Base()
	if err != nil {
		return Answer{}, err
	}
	sched, err := Schedule(ctx, base, s.simpler.Lift(steps), s.Timings)
	if err != nil {
		return Answer{}, err
	}
	return s.Executed(ctx, sched)
}

// Executed replays a schedule of the program before the passes, [Subject.Base]. The error is
// like that of Unsafe.
func (s *Subject) Executed(ctx context.Context, sched ir.Schedule) (Answer, error) {
	defer s.Timings.Start(timing.Checking)()
	sched, err := s.ofOriginal(sched)
	if err != nil {
		return Answer{}, err
	}
	a, err := s.replayed(ctx, &check.Certificate{Format: check.Format, Version: check.Version, Program: s.ID,
		Verdict: seqmc.Unsafe.String(), Schedule: check.NewSchedule(s.Original, sched)})
	if suspicion := (*Suspicion)(nil); err != nil && !errors.As(err, &suspicion) {
		err = fmt.Errorf("the counterexample was not confirmed: %w", err)
	}
	return a, err
}

// replayed checks a certificate of a violation as it is.
func (s *Subject) replayed(ctx context.Context, cert *check.Certificate) (Answer, error) {
	if s.Every() || s.ID.Cut > 0 {
		return Answer{}, errMore
	}
	start := time.Now()
	trace, err := check.Unsafe(s.Original, cert)
	if in := (*check.Inexact)(nil); errors.As(err, &in) {
		return Answer{}, &Suspicion{Trace: in.Trace, On: in.On, Certificate: cert}
	}
	if err != nil {
		return Answer{}, err
	}
	if err := s.interpreted(ctx, cert); err != nil {
		return Answer{}, err
	}
	return Answer{about: s, verdict: seqmc.Unsafe, cert: cert, trace: trace, took: time.Since(start)}, nil
}

// Unfollowed is the error for an execution of the program that was taken apart which the interpreter does not find to be one of the program
// that was read. One of the two is wrong, or the interpreter cannot be led there.
type Unfollowed struct{ Err error }

// Error says that an error of comus is suspected.
func (u *Unfollowed) Error() string {
	return fmt.Sprintf("the execution that was found was not confirmed on the program itself (perhaps an error in comus): %v", u.Err)
}

// Unwrap returns what the interpreter says.
func (u *Unfollowed) Unwrap() error { return u.Err }

// interpreted follows the execution of a certificate on the program that was read.
func (s *Subject) interpreted(ctx context.Context, cert *check.Certificate) error {
	if s.Read == nil {
		return nil
	}
	sched, err := cert.Schedule.Execution(s.Original)
	if err != nil {
		return err
	}
	if err := replay.Interpret(ctx, s.Read, s.Original, sched); err != nil {
		return &Unfollowed{err}
	}
	return nil
}

// Schedule finds initial values and inputs with which the edges can be run one after another
// from the initial state.
func Schedule(ctx context.Context, p *ir.Program, edges []*ir.Edge, timings *timing.Timings) (ir.Schedule, error) {
	defer timings.Start(timing.Concretization)()
	x := wp.NewExec(p.L, true)
	for _, v := range p.Vars {
		if v.Init != nil {
			x.Assume(p.L.Eq(v.Sym, p.L.Value(*v.Init)))
		} else {
			x.Assume(p.InRange(v))
		}
	}
	type taken struct {
		edge *ir.Edge
		from int // index of its first input
	}
	var steps []taken
	for _, e := range edges {
		steps = append(steps, taken{e, len(x.Inputs)})
		x.Run(e.Cmds)
	}
	st, m, err := pathValues(ctx, p, x, timings)
	switch {
	case st == z3.Unsat:
		return ir.Schedule{}, errors.New("the counterexample was not confirmed: no execution takes its steps")
	case st != z3.Sat:
		return ir.Schedule{}, fmt.Errorf("the counterexample was not confirmed: its steps are %v together (%v)", st, err)
	}
	sched := ir.Schedule{Init: map[int]logic.Value{}}
	for _, v := range p.Vars {
		if v.Init == nil {
			sched.Init[v.Index] = m.Value(v.Sym)
		}
	}
	for i, s := range steps {
		end := len(x.Inputs)
		if i+1 < len(steps) {
			end = steps[i+1].from
		}
		var in []logic.Value
		for _, input := range x.Inputs[s.from:end] {
			in = append(in, m.Value(input.Sym))
		}
		sched.Steps = append(sched.Steps, ir.Step{Edge: s.edge, Inputs: in})
	}
	return sched, nil
}
