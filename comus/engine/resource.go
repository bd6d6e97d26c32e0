package engine

import (
	"cmp"
	"context"

	"comus/check"
	"comus/ir"
	"comus/query"
	"comus/resourceinv"
	"comus/seqmc"
)

// ResourceInvariants looks for invariants of what threads share and of each thread by itself (package
// resourceinv), where a loop creates threads for any number of them.
type ResourceInvariants struct{}

// Name returns the engine's name.
func (ResourceInvariants) Name() string { return "resource-invariants" }

// Decide looks for a proof. It never says Unsafe. Where there are arrays, it is one about one cell of each or one about all of them.
func (ResourceInvariants) Decide(ctx context.Context, t *Task) (Answer, error) {
	p, err := t.unbounded(ctx)
	cells, noCells := t.withCells(ctx)
	if ctx.Err() != nil || err != nil && noCells != nil {
		return Answer{}, cmp.Or(ctx.Err(), err)
	}
	var readings []*ir.Program
	of := map[*ir.Program]*ir.Program{} // what a reading was before its locks had owners
	read := func(p *ir.Program) {
		q, owners := p.Owned()
		if len(owners) > 0 {
			t.Log.Named("resourceinv").Info("locks", "owners", len(owners))
		}
		readings, of[q] = append(readings, q), p
	}
	if noCells != nil {
		t.Log.Info("no proof about one cell of each array", "reason", noCells)
	} else {
		read(cells)
	}
	if err == nil {
		read(p)
	}
	proof, proved, err := resourceinv.Prove(ctx, t.Log.Named("resourceinv"), t.Options.Resources, readings...)
	if err != nil {
		return Answer{}, err
	}
	cert := ResourceCertificate(proof, of[proved] != t.Program)
	cert.Program.Cells = of[proved] == cells
	cert.Parametric.Owned = of[proved] != proved
	return Answer{Verdict: seqmc.Safe, Proof: cert, Stats: query.Stats{SolverCalls: proof.Calls}}, nil
}

// ResourceCertificate writes down a proof; every tells that it is one of the program with any number of threads.
func ResourceCertificate(proof *resourceinv.Proof, every bool) *check.Certificate {
	cert := &check.Certificate{Program: check.Program{Parametric: every}, Parametric: &check.ParametricProof{Size: 1}}
	for i := range proof.Nodes {
		cert.Threads = append(cert.Threads, check.Thread{Thread: i, Nodes: proof.Nodes[i], Cuts: proof.Cuts[i]})
	}
	for _, in := range proof.Invariants {
		cert.Parametric.Invariants = append(cert.Parametric.Invariants, check.ParametricInvariant{At: []check.At{{Thread: in.Thread, Loc: in.Loc}}, Formula: in.Formula.SMTLIB()})
	}
	return cert
}
