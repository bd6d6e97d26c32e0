package check

import (
	"context"
	"errors"
	"strings"

	"comus/logic/smt"
	"comus/z3"
)

// ordersTactics are what solves the encoding: other tactics than the engine's, with
// another seed.
var ordersTactics = []string{"simplify", "solve-eqs", "elim-uncnstr", "smt"}

func ordersSolver(c *z3.Context) *z3.Solver {
	t := c.NewTactic(ordersTactics[0])
	for _, name := range ordersTactics[1:] {
		t = t.AndThen(c.NewTactic(name))
	}
	s := t.NewSolver()
	s.SetParams(z3.NewParams().SetUint("random_seed", 20011))
	return s
}

// decide proves that the constraints cannot hold together with a failure.
func (o *orders) decide(ctx context.Context) (string, error) {
	p, err := newProver(ctx, o.l)
	if err != nil {
		return "", err
	}
	p.s.Close()
	if p.s, err = smt.NewSolverOf(o.l, ordersSolver); err != nil {
		return "", err
	}
	defer p.s.Close()
	for _, f := range o.out {
		p.s.Assert(p.guard(f))
	}
	p.s.Assert(o.l.Or(append(append(o.errors, o.loops...), o.l.False())...))
	switch st, m, err := p.s.Check(ctx); {
	case err != nil:
		return "", err
	case st == z3.Unsat:
		return "z3 with " + strings.Join(ordersTactics, ", "), nil
	case st == z3.Sat:
		for _, e := range o.errors {
			if m.Holds(e) {
				return "", errors.New("there is an execution that fails")
			}
		}
		return "", ErrBound
	}
	return "", errors.New("the solver did not decide whether an execution fails")
}
