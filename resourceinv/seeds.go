package resourceinv

import (
	"context"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic/smt"
)

// Seeds returns what guesses find out about a program, as invariants that are inductive all together: those that exclude all violations, of the
// smallest resources for which there are such; otherwise all that are found of resources that are used together. It asks Spacer nothing.
// graphs are those of the threads, and p has no replicated ones.
func Seeds(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, log hclog.Logger, opts Options) ([]Invariant, error) {
	m := newModel(p, graphs)
	solver, err := smt.NewSolver(m.l)
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	var last *search
	for _, c := range m.choices() {
		if c.watch {
			break
		}
		s := &search{system: newSystem(m, c.sets, false), log: log, opts: opts}
		proof, err := s.begin(ctx, solver)
		if err != nil {
			return nil, err
		}
		if proof != nil {
			return proof.Invariants, nil
		}
		last = s
	}
	if last == nil {
		return nil, nil
	}
	return last.proof(last.guesses.all()).Invariants, nil
}
