package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/ir"
	"comus/seqmc"
	"comus/threadmodular"
)

// manyThreads is the number of threads of a program from which a proof for every
// number of them is looked for beside the ordinary one.
const manyThreads = 16

// everyPatience is how much longer a proof for every number of threads is looked for
// when the ordinary way has ended without a verdict.
const everyPatience = time.Minute

// errNoReplicated is the error for a program with a fixed number of threads.
var errNoReplicated = errors.New("no loop creates threads")

// verifyEvery verifies the source as the options say. A program whose loops create
// threads, any number or many, is at the same time read with replicated threads, and
// a proof for every number of them looked for: the first verdict counts. When there is
// no violation within the bounds, and more is set, the bounds grow meanwhile.
func verifyEvery(ctx context.Context, file string, src *cfront.Result, opts Options, more bool) (*Result, error) {
	if !opts.auto() || len(src.Program.Bounded) == 0 && len(src.Program.Threads) < manyThreads {
		res, err := verifySource(ctx, file, src, opts)
		if err == nil && more && res.complete {
			res = grow(ctx, file, opts, res)
		}
		return res, err
	}
	ctxEvery, stopEvery := context.WithCancel(ctx)
	defer stopEvery()
	ctxOne, stopOne := context.WithCancel(ctx)
	defer stopOne()
	every := make(chan *Result, 1)
	go func() {
		res, err := everyResult(ctxEvery, file, src, opts)
		if err != nil && opts.Log != nil {
			opts.Log.Info("no proof for every number of threads", "reason", err)
		}
		every <- res
	}()
	type outcome struct {
		res *Result
		err error
	}
	ordinary := make(chan outcome, 1)
	go func() {
		res, err := verifySource(ctxOne, file, src, opts)
		if err == nil && res.Verdict == seqmc.Unknown {
			time.AfterFunc(everyPatience, stopEvery)
			if more && res.complete {
				res = grow(ctxOne, file, opts, res)
			}
		}
		ordinary <- outcome{res, err}
	}()
	select {
	case res := <-every:
		if res != nil {
			stopOne()
		}
		one := <-ordinary // it is waited for: the caller reads its timings
		if res != nil {
			return res, nil
		}
		return one.res, one.err
	case one := <-ordinary:
		if one.err == nil && one.res.Verdict == seqmc.Unknown {
			if res := <-every; res != nil {
				return res, nil
			}
		}
		return one.res, one.err // what is left of the other ends soon
	}
}

// threadModularEngine looks for a proof with any number of threads where a loop creates
// them (package threadmodular).
type threadModularEngine struct{}

// Name returns the engine's name.
func (threadModularEngine) Name() string { return everyEngine }

// everyEngine is the name of the engine in reports.
const everyEngine = "thread-modular"

// Decide looks for a proof. It never says Unsafe.
func (threadModularEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
	if t.File == "" {
		return Answer{}, errors.New("thread-modular reads the source itself, and this program was made without one")
	}
	cert, err := proveForEvery(ctx, t.File, t.Options, false, t.Log)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: cert}, nil
}

// everyResult looks for a proof for every number of threads, of a program whose loops
// create threads, and confirms it.
func everyResult(ctx context.Context, file string, src *cfront.Result, opts Options) (*Result, error) {
	log := opts.Log
	if log == nil {
		log = hclog.NewNullLogger()
	}
	cert, err := proveForEvery(ctx, file, opts, true, log)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	cert, err = checkEvery(ctx, file, opts.Source, cert)
	if err != nil {
		log.Error("the proof was not confirmed", "error", err)
		return nil, err
	}
	return &Result{Verdict: seqmc.Safe, Engine: everyEngine, Warnings: src.Warnings, Assumptions: cert.Assumptions,
		Certificate: cert, CheckTime: time.Since(start), Trace: emptyTrace}, nil
}

// replicates reports whether a loop creates threads that can be read as any number of
// them.
func (v *verifier) replicates() bool {
	o := v.opts.Source
	o.Parametric = true
	src, err := cfront.ParseFile(v.file, o)
	return err == nil && len(src.Program.Replicated()) > 0
}

// proveForEvery looks for a proof of the source with any number of threads where a
// loop creates them. replicated demands that there is such a loop.
func proveForEvery(ctx context.Context, file string, opts Options, replicated bool, log hclog.Logger) (*check.Certificate, error) {
	o := opts.Source
	o.Parametric = true
	src, err := cfront.ParseFile(file, o)
	if err != nil {
		return nil, err
	}
	p := src.Program
	switch {
	case replicated && len(p.Replicated()) == 0:
		return nil, errNoReplicated
	case len(p.Bounded) > 0:
		return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
	}
	p.Renumber()
	proof, err := threadmodular.Prove(ctx, p, log.Named("threadmodular"))
	if err != nil {
		return nil, err
	}
	return certificateOf(p, proof), nil
}

// checkEvery confirms a proof for every number of threads: it reads the source again, and
// returns a certificate that speaks about this source, whatever the proof said it was about.
func checkEvery(ctx context.Context, file string, o cfront.Options, proof *check.Certificate) (*check.Certificate, error) {
	o.Parametric = true
	src, err := cfront.ParseFile(file, o)
	if err != nil {
		return nil, err
	}
	cert := *proof
	if cert.Program, err = identify(file, o); err != nil {
		return nil, err
	}
	cert.Program.Passes = []string{}
	cert.Assumptions = src.Program.Assumptions
	if _, err := confirmEvery(ctx, src, &cert); err != nil {
		return nil, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	return &cert, nil
}

// certificateOf writes down a proof for every number of threads.
func certificateOf(p *ir.Program, proof *threadmodular.Proof) *check.Certificate {
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE",
		Parametric: &check.ParametricProof{Size: proof.Threads, Placed: proof.Placed, Counted: proof.Counted}}
	for i := range proof.Nodes {
		cert.Threads = append(cert.Threads, check.Thread{Thread: i, Nodes: proof.Nodes[i], Cuts: proof.Cuts[i]})
	}
	for _, in := range proof.Invariants {
		var at []check.At
		for _, pl := range in.Places {
			at = append(at, check.At{Thread: pl.Thread, Loc: pl.Loc})
		}
		cert.Parametric.Invariants = append(cert.Parametric.Invariants, check.ParametricInvariant{At: at, Formula: in.Formula.SMTLIB()})
	}
	return cert
}

// confirmEvery checks a certificate of a proof for every number of threads.
func confirmEvery(ctx context.Context, src *cfront.Result, cert *check.Certificate) (*Result, error) {
	start := time.Now()
	p := src.Program
	if len(cert.Program.Passes) > 0 {
		return nil, errors.New("the certificate names passes, which a proof for every number of threads is not made with")
	}
	if len(p.Bounded) > 0 {
		return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
	}
	p.Renumber()
	if err := check.Parametric(ctx, p, cert); err != nil {
		return nil, err
	}
	d := time.Since(start)
	return &Result{Verdict: seqmc.Safe, Engine: "check", Warnings: src.Warnings, Assumptions: p.Assumptions,
		Certificate: cert, Elapsed: d, CheckTime: d, Trace: emptyTrace}, nil
}
