package comus

import (
	"context"
	"time"

	"comus/check"
	"comus/resourceinv"
	"comus/seqmc"
)

// resourceEngine looks for invariants of what threads share and of each thread by itself (package
// resourceinv), where a loop creates threads for any number of them.
type resourceEngine struct{}

// Name returns the engine's name.
func (resourceEngine) Name() string { return "resource-invariants" }

// Decide looks for a proof. It never says Unsafe.
func (resourceEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
	if a, err := t.decideByCells(ctx); err == nil || ctx.Err() != nil {
		return a, err
	}
	p, err := t.unbounded(ctx)
	if err != nil {
		return Answer{}, err
	}
	proof, err := resourceinv.Prove(ctx, p, t.Log.Named("resourceinv"))
	if err != nil {
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: resourceCertificate(proof, p != t.Program)}, nil
}

// cellPatience is how long a proof about one cell of each array is looked for before one about all of them.
const cellPatience = 10 * time.Second

// decideByCells looks for a proof about one cell of each array.
func (t *Task) decideByCells(ctx context.Context) (Answer, error) {
	p, err := t.withCells(ctx)
	if err != nil {
		t.Log.Info("no proof with one cell of each array", "reason", err)
		return Answer{}, err
	}
	part, cancel := context.WithTimeout(ctx, cellPatience)
	defer cancel()
	proof, err := resourceinv.Prove(part, p, t.Log.Named("cells"))
	if err != nil {
		t.Log.Info("no proof with one cell of each array", "reason", err)
		return Answer{}, err
	}
	cert := resourceCertificate(proof, true)
	cert.Program.Cells = true
	return Answer{Verdict: seqmc.Safe, Proof: cert}, nil
}

// resourceCertificate writes down a proof; every tells that it is one of the program with any number of threads.
func resourceCertificate(proof *resourceinv.Proof, every bool) *check.Certificate {
	cert := &check.Certificate{Program: check.Program{Parametric: every}, Parametric: &check.ParametricProof{Size: 1}}
	for i := range proof.Nodes {
		cert.Threads = append(cert.Threads, check.Thread{Thread: i, Nodes: proof.Nodes[i], Cuts: proof.Cuts[i]})
	}
	for _, in := range proof.Invariants {
		cert.Parametric.Invariants = append(cert.Parametric.Invariants, check.ParametricInvariant{At: []check.At{{Thread: in.Thread, Loc: in.Loc}}, Formula: in.Formula.SMTLIB()})
	}
	return cert
}
