package comus

import (
	"context"

	"comus/check"
	"comus/query"
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
	p, err := t.unbounded(ctx)
	if err != nil {
		return Answer{}, err
	}
	owned, owners := p.Owned()
	if len(owners) > 0 {
		t.Log.Named("resourceinv").Info("locks", "owners", len(owners))
	}
	proof, err := resourceinv.Prove(ctx, owned, t.Log.Named("resourceinv"), t.Options.Resources)
	if err != nil {
		return Answer{}, err
	}
	cert := resourceCertificate(proof, p != t.Program)
	cert.Parametric.Owned = len(owners) > 0
	return Answer{Verdict: seqmc.Safe, Proof: cert, Stats: query.Stats{SolverCalls: proof.Calls}}, nil
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
