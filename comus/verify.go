package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/passes"
	"comus/query"
	"comus/seqmc"
	"comus/seqmc/spacer"
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
	opts = opts.engineAlone()
	more := opts.Grow && src.BoundedThreads
	var res *Result
	if more {
		res = growSimulated(ctx, file, opts)
	}
	if res == nil {
		if res, err = verifyEvery(ctx, file, src, opts, more); err != nil {
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
	res, err := verify(ctx, src, opts)
	if err == nil && res.Certificate != nil {
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
	res, err := verify(ctx, &cfront.Result{Program: p, HasAssertions: true}, opts)
	if err == nil {
		res.Elapsed = time.Since(start)
	}
	return res, err
}

func verify(ctx context.Context, src *cfront.Result, opts Options) (*Result, error) {
	opts = opts.engineAlone()
	v := &verifier{start: time.Now(), source: src.Program, p: src.Program, opts: opts, log: opts.Log,
		res: &Result{Engine: "modular", Warnings: src.Warnings, Assumptions: src.Program.Assumptions}}
	if v.log == nil {
		v.log = hclog.NewNullLogger()
	}
	v.passesDone = slices.Clone(opts.passes())
	v.res.passes = v.passesDone
	named, err := v.namedOrder()
	if err != nil {
		return nil, err
	}
	sim := newSimulation(v)
	if sim.first(ctx) || opts.simulateOnly {
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
	err = sim.beside(ctx, func(ctx context.Context) error { return v.run(ctx, named) })
	v.res.Components = opts.Timings.Components()
	v.res.passes = v.passesDone
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
	source  *ir.Program    // as the front end made it
	simpler *passes.Result // after the passes
	p       *ir.Program    // simpler.Program
	opts    Options
	log     hclog.Logger
	graphs  []*cutpoints.Graph
	facts   *locpairs.Facts // about all threads; nil until they are needed
	// used has the facts that the runs so far were proved with, factsUsed tells
	// whether those about all threads are among them.
	used      []*locpairs.Facts
	factsUsed bool
	res       *Result
	// passesDone are the passes that made p, in their order.
	passesDone []string
}

// run takes each thread with assertions as the main thread in turn and confirms
// what comes out.
func (v *verifier) run(ctx context.Context, named []int) error {
	reduced := v.opts.Timings.Start(timing.Cutpoints)
	v.graphs = cutpoints.Compute(v.p, cutpoints.Options{All: v.opts.NoReduction})
	reduced()
	v.res.Sizes = sizesOf(v.p, v.graphs)
	switch v.opts.Strategy {
	case "", "auto", "modular", "thread-modular":
	case "partial-order":
		return v.partialOrder(ctx)
	case "unbounded":
		return v.unbounded(ctx)
	case "lazy", "eager":
		return v.bounded(ctx, v.opts.Strategy)
	case "explore":
		return v.states(ctx)
	default:
		return fmt.Errorf("there is no strategy %q", v.opts.Strategy)
	}
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	for _, t := range v.p.Threads {
		if !t.HasErrors() {
			continue
		}
		run, blocks, err := v.mainThread(ctx, v.order(t.Index, named))
		if err != nil {
			return err
		}
		if blocks != nil {
			return v.unsafe(ctx, cert, blocks)
		}
		cert.Runs = append(cert.Runs, *run)
	}
	return v.safe(ctx, cert)
}

// hierarchy runs the modular algorithm with the first thread of an order as main.
// If first is not nil, only one sequential check is made; it starts as false.
func (v *verifier) hierarchy(ctx context.Context, order []int, facts *locpairs.Facts, first *bool) (*check.Run, []*cutpoints.Block, error) {
	fast, precise := v.checkers()
	h, err := query.New(v.p, v.graphs, facts, order, fast, v.log.Named("query"))
	if err != nil {
		return nil, nil, err
	}
	defer h.Close()
	h.Precise = precise
	if first != nil {
		h.Checker, h.Precise = firstOnly{h.Checker, first}, firstOnly{h.Precise, first}
	}
	h.Options = v.opts.Query
	h.Stats = v.res.Stats
	h.Observe = v.opts.Observe
	h.Measure(v.opts.Timings)
	if !v.opts.NoConcretize {
		c := concretizer{v: v, main: order[0], start: v.start}
		h.Concretize = c.find
	}
	if first != nil {
		h.Concretize = firstCounterexample(h.Concretize)
	}
	v.log.Info("main thread", "thread", v.p.Threads[order[0]].Name, "order", order)
	proof, blocks, err := h.Main(ctx)
	v.res.Stats = h.Snapshot()
	if err != nil || proof == nil {
		return nil, blocks, err
	}
	run := certificateRun(h, proof)
	return &run, nil, nil
}

// checkers returns the sequential model checkers: the one to ask first, and the one for
// counterexamples that turn out not to be any.
func (v *verifier) checkers() (fast, precise seqmc.Checker) {
	if c := v.opts.Checker; c != nil {
		return c, c
	}
	alone, log := v.opts.Query.NoParallel, v.log.Named("spacer")
	return &spacer.Checker{Alone: alone, Log: log}, &spacer.Checker{Ranges: true, Alone: alone, Log: log}
}

// safe confirms a proof.
func (v *verifier) safe(ctx context.Context, cert *check.Certificate) error {
	cert.Verdict = "SAFE"
	v.describeThreads(cert)
	start := time.Now()
	defer v.opts.Timings.Start(timing.Checking)()
	if err := check.Safe(ctx, v.p, cert); err != nil {
		v.log.Error("the proof was not confirmed", "error", err)
		return fmt.Errorf("the proof was not confirmed: %w", err)
	}
	v.res.CheckTime = time.Since(start)
	if len(v.p.Bounded) > 0 {
		v.res.complete = true
		return fmt.Errorf("no violation, but only within bounds: %s", v.p.Bounded[0])
	}
	v.res.Verdict, v.res.Certificate = seqmc.Safe, cert
	return nil
}

// unsafe turns the blocks of a violation into a schedule and replays it.
func (v *verifier) unsafe(ctx context.Context, cert *check.Certificate, blocks []*cutpoints.Block) error {
	return v.unsafeEdges(ctx, cert, v.lift(blocks))
}

// unsafeEdges turns the steps of a violation into a schedule and replays it.
func (v *verifier) unsafeEdges(ctx context.Context, cert *check.Certificate, edges []*ir.Edge) error {
	sched, err := schedule(ctx, v.source, edges, v.opts.Timings)
	if err != nil {
		return err
	}
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
	simpler, err := transform(p, cert.Program.Passes)
	if err != nil {
		return nil, err
	}
	res := &Result{Engine: "check", Warnings: src.Warnings, Certificate: cert}
	switch cert.Verdict {
	case "SAFE":
		if res.CheckSolver, err = confirmSafe(ctx, simpler.Program, cert); err != nil {
			return nil, err
		}
		if len(p.Bounded) > 0 {
			return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
		}
		res.Verdict, res.Assumptions = seqmc.Safe, p.Assumptions
	case "UNSAFE":
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
