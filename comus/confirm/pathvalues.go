package confirm

import (
	"context"

	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/logic/interval"
	"comus/logic/smt"
	"comus/wp"
	"comus/z3"
)

// pathValues finds values with which the assumptions along an executed path hold: over
// bit-vectors, where they have operations outside linear arithmetic, and over integers
// where they have none, or where there were too many bits.
func pathValues(ctx context.Context, p *ir.Program, x *wp.Exec, timings *timing.Timings) (smt.Status, *smt.Model, error) {
	hard := false
	logic.Visit(func(t *logic.Term) { hard = hard || smt.Hard(t) }, x.Cond...)
	if hard {
		types := map[*logic.Term]ir.Type{}
		for _, v := range p.Vars {
			types[v.Sym] = v.Type
		}
		for _, in := range x.Inputs {
			types[in.Sym] = in.Var.Type
		}
		stop := timings.Start(timing.Solver)
		st, m, err := smt.CheckVectors(ctx, func(v *logic.Term) interval.Interval { return interval.Of(types[v].Range()) }, x.Cond...)
		stop()
		if err == nil && st == z3.Sat {
			return st, m, nil
		}
	}
	solver, err := smt.NewSolver(p.L)
	if err != nil {
		return z3.Unknown, nil, err
	}
	defer solver.Close()
	solver.Timings = timings
	return solver.Check(ctx, x.Cond...)
}
