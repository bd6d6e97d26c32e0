package engine

import (
	"context"
	"errors"
	"fmt"

	"comus/check"
	"comus/ir"
	"comus/query"
	"comus/seqmc"
	"comus/specialise"
	"comus/threadmodular"
)

// AnyNumber returns the options that read a source with any number of threads where a loop
// creates them.
func AnyNumber(how specialise.Options) specialise.Options {
	how.Parametric = true
	return how
}

// ThreadModular looks for a proof with any number of threads where a loop creates
// them (package threadmodular).
type ThreadModular struct{}

// Name returns the engine's name.
func (ThreadModular) Name() string { return "thread-modular" }

// Decide looks for a proof. It never says Unsafe. Whatever the task's bounds are, it reads
// the source without any on the number of threads.
func (ThreadModular) Decide(ctx context.Context, t *Task) (Answer, error) {
	p, err := t.everyNumber(ctx)
	if err != nil {
		return Answer{}, err
	}
	proof, err := threadmodular.Prove(ctx, p, t.Log.Named("threadmodular"), t.Options.Every)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: CertificateOf(p, proof), Stats: query.Stats{SolverCalls: proof.Calls}}, nil
}

// everyNumber reads the task's source with any number of threads where a loop creates them.
func (t *Task) everyNumber(ctx context.Context) (*ir.Program, error) {
	if t.Read == nil {
		return nil, errors.New("the source is to be read for any number of threads, and this program was made without one")
	}
	p, err := t.Read(ctx, AnyNumber(t.Question))
	if err != nil {
		return nil, err
	}
	if len(p.Bounded) > 0 {
		return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
	}
	p.Renumber()
	return p, nil
}

// unbounded returns the task's program; or, if that is cut off at bounds, one for any number of threads.
func (t *Task) unbounded(ctx context.Context) (*ir.Program, error) {
	if len(t.Program.Bounded) == 0 {
		return t.Program, nil
	}
	return t.everyNumber(ctx)
}

// CertificateOf writes down a proof for every number of threads.
func CertificateOf(p *ir.Program, proof *threadmodular.Proof) *check.Certificate {
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE", Program: check.Program{Parametric: true},
		Parametric: &check.ParametricProof{Size: proof.Threads, Placed: proof.Placed, Counted: proof.Counted, Census: proof.Census}}
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
