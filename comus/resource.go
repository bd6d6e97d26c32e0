package comus

import (
	"cmp"
	"context"

	"comus/check"
	"comus/ir"
	"comus/resourceinv"
	"comus/seqmc"
)

// resourceEngine looks for invariants of what threads share and of each thread by itself (package
// resourceinv), where a loop creates threads for any number of them.
type resourceEngine struct{}

// Name returns the engine's name.
func (resourceEngine) Name() string { return "resource-invariants" }

// Decide looks for a proof. It never says Unsafe. Where there are arrays, it is one about one cell of each or one about all of them.
func (resourceEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
	p, err := t.unbounded(ctx)
	cells, noCells := t.withCells(ctx)
	if ctx.Err() != nil || err != nil && noCells != nil {
		return Answer{}, cmp.Or(ctx.Err(), err)
	}
	var readings []*ir.Program
	if noCells != nil {
		t.Log.Info("no proof about one cell of each array", "reason", noCells)
	} else {
		readings = append(readings, cells)
	}
	if err == nil {
		readings = append(readings, p)
	}
	proof, of, err := resourceinv.Prove(ctx, t.Log.Named("resourceinv"), readings...)
	if err != nil {
		return Answer{}, err
	}
	cert := resourceCertificate(proof, of != t.Program)
	cert.Program.Cells = of == cells
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
