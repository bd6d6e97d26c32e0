package threadmodular

import (
	"context"
	"time"

	"comus/affine"
	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Adds reports whether a replicated thread adds to a shared variable: how often may then be of interest.
func Adds(p *ir.Program) bool {
	found := false
	for _, t := range p.Replicated() {
		read := map[*logic.Term]*logic.Term{} // local variables that were read from shared ones
		tab := p.Symbols()
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind == ir.Assign && c.Var.Thread != ir.Shared && c.Expr.Op() == logic.OpVar && tab[c.Expr] != nil && tab[c.Expr].Thread == ir.Shared {
					read[c.Var.Sym] = c.Expr
				}
			}
		})
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind != ir.Assign || c.Var.Thread != ir.Shared || c.Expr.Op() == logic.OpVar {
					continue
				}
				for _, v := range logic.FreeVars(c.Expr) {
					found = found || v == c.Var.Sym || read[v] == c.Var.Sym
				}
			}
		})
	}
	return found
}

// takeCensus returns the program that counts its threads at cut-points, and the counters.
func takeCensus(p *ir.Program, graphs []*cutpoints.Graph) (*ir.Program, map[*ir.Var]bool) {
	var places [][]bool
	for _, g := range graphs {
		places = append(places, g.Cut)
	}
	return p.Census(places)
}

// byCensus looks for a proof by equalities, with bounds. The error is ErrNoProof if that is all that can be found.
func (s *search) byCensus(ctx context.Context) ([]Invariant, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, censusPatience)
	defer cancel()
	found, err := s.equalities(ctx)
	s.log.Info("equalities", "method", s.method.String(), "found", found, "time", time.Since(start), "error", err)
	if err != nil {
		return nil, err
	}
	return s.quick(ctx, censusPatience)
}

// censusPatience is the time for a proof by equalities.
const censusPatience = 20 * time.Second

// equalities finds what may be 0 at the relations. It is kept as far as it holds.
func (s *search) equalities(ctx context.Context) (found int, err error) {
	number := map[*relation]int{}
	for i, r := range s.s.order {
		number[r] = i
	}
	atom := func(a app) affine.Atom { return affine.Atom{Rel: number[a.rel], Args: a.args} }
	var clauses []affine.Clause
	for _, c := range s.s.clauses {
		if c.head == nil {
			continue
		}
		x := affine.Clause{Conds: c.cond, Head: atom(*c.head)}
		for _, a := range c.body {
			x.Body = append(x.Body, atom(a))
		}
		clauses = append(clauses, x)
	}
	spaces, err := affine.Solve(ctx, len(number), clauses)
	if err != nil {
		return 0, err
	}
	s.b.zero = map[*relation][]*logic.Term{}
	for i, r := range s.s.order {
		if spaces[i] != nil {
			s.b.zero[r] = spaces[i].Equalities(s.s.l, r.params)
			found += len(s.b.zero[r])
		}
	}
	return found, nil
}
