package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/passes"
	"comus/seqmc"
)

// Verify decides the program in a C source file. The error is for programs that
// cannot be read (a *cfront.Error) and for wrong options; everything that keeps
// a readable program from being decided, the end of ctx included, is the verdict
// Unknown with a reason.
func Verify(ctx context.Context, file string, opts Options) (*Result, error) {
	start := time.Now()
	if opts.Timings == nil {
		opts.Timings = timing.New()
	}
	parsed := opts.Timings.Start(timing.Frontend)
	src, err := cfront.ParseFile(file, opts.Source)
	parsed()
	if err != nil {
		return nil, err
	}
	if !src.HasAssertions {
		src.Warnings = append(src.Warnings, file+": warning: the program contains no assertion: nothing can fail")
	}
	// The order: simulation with more threads, which is short; verification within the
	// bound given, and beside it a proof for every number of threads; verification with
	// more threads, and beside it the same proof.
	opts = opts.only()
	more := opts.Grow && src.BoundedThreads
	var res *Result
	if more {
		res = growSimulated(ctx, file, opts)
	}
	if res == nil {
		if opts.portfolio(file) {
			res, err = verifySource(ctx, file, src, opts)
		} else {
			res, err = verifyEvery(ctx, file, src, opts, more)
		}
		if err != nil {
			return nil, err
		}
	}
	res.Elapsed = time.Since(start)
	return res, nil
}

// verifySource verifies a program that was read from a file, once.
func verifySource(ctx context.Context, file string, src *cfront.Result, opts Options) (*Result, error) {
	id, err := identify(file, opts.Source)
	if err != nil {
		return nil, err
	}
	res, err := verify(ctx, file, src, opts)
	if err != nil {
		return nil, err
	}
	res.program = id
	if res.Certificate == nil {
		return res, nil
	}
	if res.Certificate.Parametric != nil { // it is about the source as it was read last
		if err := sameProgram(res.Certificate.Program, id); err != nil {
			res.Verdict, res.Certificate, res.Reason = seqmc.Unknown, nil, "the proof was not confirmed: "+err.Error()
		}
		return res, nil
	}
	if res.Portfolio == nil || res.Certificate.Program.SHA256 == "" { // not one that another process made
		id.Passes = res.passes
		res.Certificate.Program = id
	}
	return res, err
}

// VerifyProgram is [Verify] for a program that is already there in IR.
func VerifyProgram(ctx context.Context, p *ir.Program, opts Options) (*Result, error) {
	start := time.Now()
	if opts.Timings == nil {
		opts.Timings = timing.New()
	}
	res, err := verify(ctx, "", &cfront.Result{Program: p, HasAssertions: true}, opts)
	if err == nil {
		res.Elapsed = time.Since(start)
	}
	return res, err
}

func verify(ctx context.Context, file string, src *cfront.Result, opts Options) (*Result, error) {
	opts = opts.only()
	engine, err := opts.engine()
	if err != nil {
		return nil, err
	}
	if _, err := namedOrder(src.Program, opts.Order); err != nil {
		return nil, err
	}
	if err := passes.Known(opts.passes()); err != nil {
		return nil, fmt.Errorf("passes: %w", err)
	}
	v := &verifier{start: time.Now(), file: file, source: src.Program, p: src.Program, opts: opts, log: opts.Log,
		res: &Result{Engine: engine.Name(), Warnings: src.Warnings, Assumptions: src.Program.Assumptions}}
	if v.log == nil {
		v.log = hclog.NewNullLogger()
	}
	sim := newSimulation(v)
	if sim.first(ctx) || opts.simulateOnly {
		v.res.passes = slices.Clone(opts.passes())
		v.res.Components = opts.Timings.Components()
		return v.res, nil
	}
	done := opts.Timings.Start(timing.Passes)
	v.simpler, err = transform(v.source, opts.passes())
	done()
	if err != nil {
		return nil, err
	}
	v.p = v.simpler.Program
	work := func(ctx context.Context) error { return v.run(ctx, engine) }
	if opts.portfolio(file) {
		work = v.race
	}
	err = sim.beside(ctx, work)
	if v.res.Portfolio == nil || v.res.Components == nil {
		v.res.Components = opts.Timings.Components()
	}
	if err != nil {
		v.res.Verdict, v.res.Certificate, v.res.Trace = seqmc.Unknown, nil, emptyTrace
		v.res.Reason = reason(ctx, err)
	}
	return v.res, nil
}

// reason words an error as the reason of an Unknown.
func reason(ctx context.Context, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "timeout"
	case ctx.Err() != nil:
		return "interrupted"
	}
	return err.Error()
}

// verifier is one verification under way.
type verifier struct {
	start   time.Time
	file    string
	source  *ir.Program    // as the front end made it
	simpler *passes.Result // after the passes
	p       *ir.Program    // simpler.Program
	opts    Options
	log     hclog.Logger
	res     *Result
}

// run asks an engine and confirms what it says.
func (v *verifier) run(ctx context.Context, engine Engine) error {
	reduced := v.opts.Timings.Start(timing.Cutpoints)
	graphs := cutpoints.Compute(v.p, cutpoints.Options{All: v.opts.NoReduction})
	reduced()
	v.res.Sizes = sizesOf(v.p, graphs)
	v.res.passes = slices.Clone(v.opts.passes())
	t := &Task{Program: v.p, Graphs: graphs, File: v.file, Options: v.opts, Log: v.log, passes: v.res.passes, start: v.start}
	given := *t // an engine of a user's may change what it is given
	a, err := engine.Decide(ctx, &given)
	v.res.Stats = a.Stats
	v.res.Warnings = append(v.res.Warnings, a.Notes...)
	v.res.Engine = cmp.Or(a.Engine, v.res.Engine)
	switch {
	case err != nil:
		return err
	case a.Verdict == seqmc.Unsafe:
		return v.unsafe(ctx, a.Steps)
	case a.Verdict == seqmc.Safe:
		return v.safe(ctx, t, a)
	}
	return fmt.Errorf("the engine %s gave no verdict", engine.Name())
}

// safe confirms that the program is safe.
func (v *verifier) safe(ctx context.Context, t *Task, a Answer) error {
	var err error
	done := a.confirmed == v.p
	switch {
	case a.Proof == nil && !done:
		if a, err = t.confirmOrders(ctx, plainBound); err != nil {
			return err
		}
		done = true
	case a.Proof != nil && v.opts.Engine != nil: // which may have changed the proof since
		done = false
	}
	v.res.CheckTime, v.res.CheckSolver = a.confirmTime, a.confirmSolver
	if !done {
		start := time.Now()
		if a.Proof, err = v.confirmSafe(ctx, a.Proof); err != nil {
			v.log.Error("the proof was not confirmed", "error", err)
			return fmt.Errorf("the proof was not confirmed: %w", err)
		}
		v.res.CheckTime = time.Since(start)
	}
	if a.Proof != nil && a.Proof.Program.Passes != nil {
		v.res.passes = a.Proof.Program.Passes
	}
	every := a.Proof != nil && a.Proof.Parametric != nil
	if len(v.p.Bounded) > 0 && !every {
		v.res.complete = true
		return fmt.Errorf("no violation, but only within bounds: %s", v.p.Bounded[0])
	}
	v.res.Verdict, v.res.Certificate = seqmc.Safe, a.Proof
	if every {
		v.res.Assumptions = a.Proof.Assumptions // the source was read in another way
	}
	return nil
}

// confirmSafe gives a proof to the check, with the program that it has to speak about, and
// returns it as a certificate, whatever the engine wrote beside the proof.
func (v *verifier) confirmSafe(ctx context.Context, proof *check.Certificate) (*check.Certificate, error) {
	defer v.opts.Timings.Start(timing.Checking)()
	cert := *proof
	cert.Format, cert.Version, cert.Verdict, cert.Schedule = check.Format, check.Version, seqmc.Safe.String(), nil
	if cert.Parametric != nil {
		if v.file == "" {
			return nil, errors.New("a proof for every number of threads is about a source")
		}
		return checkEvery(ctx, v.file, v.opts.Source, &cert)
	}
	p := v.p
	if names := cert.Program.Passes; names != nil && !slices.Equal(names, v.res.passes) {
		again, err := transform(v.source, names)
		if err != nil {
			return nil, err
		}
		p = again.Program
	}
	cert.Assumptions = v.source.Assumptions
	var err error
	v.res.CheckSolver, err = checkSafe(ctx, p, &cert)
	return &cert, err
}

// plainBound is how often loops are gone around in the check of a claim without a proof.
const plainBound = 8

// checkSafe checks a proof, and says which solver decided where that is not always the
// same one.
func checkSafe(ctx context.Context, p *ir.Program, cert *check.Certificate) (solver string, err error) {
	if cert.Method == check.MethodOrders {
		return check.Orders(ctx, p, cert)
	}
	return "", check.Safe(ctx, p, cert)
}

// unsafe turns the steps of a violation into a schedule and replays it.
func (v *verifier) unsafe(ctx context.Context, steps []*ir.Edge) error {
	sched, err := schedule(ctx, v.source, v.simpler.Lift(steps), v.opts.Timings)
	if err != nil {
		return err
	}
	cert := &check.Certificate{Format: check.Format, Version: check.Version}
	return v.replay(cert, sched)
}

// replay confirms a schedule of the program as the front end made it.
func (v *verifier) replay(cert *check.Certificate, sched ir.Schedule) error {
	cert.Verdict, cert.Runs, cert.Assumptions = "UNSAFE", nil, nil
	cert.Schedule = check.NewSchedule(v.source, sched)
	start := time.Now()
	defer v.opts.Timings.Start(timing.Checking)()
	trace, err := check.Unsafe(v.source, cert)
	if err != nil {
		v.log.Error("the counterexample was not confirmed", "error", err)
		return fmt.Errorf("the counterexample was not confirmed: %w", err)
	}
	v.res.CheckTime = time.Since(start)
	v.res.Verdict, v.res.Certificate, v.res.Trace = seqmc.Unsafe, cert, trace
	return nil
}

// confirm checks a certificate against a parsed program.
func confirm(ctx context.Context, src *cfront.Result, cert *check.Certificate) (*Result, error) {
	if cert.Parametric != nil {
		return confirmEvery(ctx, src, cert)
	}
	start := time.Now()
	p := src.Program
	res := &Result{Engine: "check", Warnings: src.Warnings, Certificate: cert}
	switch cert.Verdict {
	case "SAFE":
		simpler, err := transform(p, cert.Program.Passes)
		if err != nil {
			return nil, err
		}
		if res.CheckSolver, err = checkSafe(ctx, simpler.Program, cert); err != nil {
			return nil, err
		}
		if len(p.Bounded) > 0 {
			return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
		}
		res.Verdict, res.Assumptions = seqmc.Safe, p.Assumptions
	case "UNSAFE": // an execution is one of the program before the passes, which only have to exist
		if err := passesExist(cert.Program.Passes); err != nil {
			return nil, err
		}
		p.Renumber()
		trace, err := check.Unsafe(p, cert)
		if err != nil {
			return nil, err
		}
		res.Verdict, res.Trace = seqmc.Unsafe, trace
	default:
		return nil, fmt.Errorf("the certificate has no verdict %q", cert.Verdict)
	}
	res.Elapsed = time.Since(start)
	res.CheckTime = res.Elapsed
	return res, nil
}
