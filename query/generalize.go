package query

import (
	"context"
	"slices"

	"comus/logic"
	"comus/seqmc"
)

// generalizer weakens a pair (α, β) for which the query is answered FALSE: the
// procedure Gen_E of the CoMuS paper. Each candidate costs one sequential check
// with env_move as it is; what that check cannot prove at once is given up.
type generalizer struct {
	h     *Hierarchy
	index int
	alpha []*logic.Term // literals, conjoined
	beta  []*logic.Term
	proof *Proof
}

// maxCandidates bounds the sequential checks spent on one generalisation.
const maxCandidates = 12

// run tries, in this order (design.md, section 4, item 6): α = true; α = ¬β, so
// that the environment is shown not to enter β; single literals of α; then
// dropping literals of β and of α one by one.
func (g *generalizer) run(ctx context.Context) error {
	l := g.h.P.L
	budget := maxCandidates
	try := func(alpha, beta []*logic.Term) (bool, error) {
		if budget == 0 {
			return false, nil
		}
		budget--
		proof, err := g.prove(ctx, l.And(alpha...), l.And(beta...))
		if err != nil || proof == nil {
			return false, err
		}
		g.alpha, g.beta, g.proof = alpha, beta, proof
		return true, nil
	}
	wholes := [][]*logic.Term{nil, {l.Not(l.And(g.beta...))}}
	if len(g.alpha) > 2 {
		for _, lit := range g.alpha {
			if g.touchesBeta(lit) {
				wholes = append(wholes, []*logic.Term{lit})
			}
		}
	}
	done := false
	for _, alpha := range wholes {
		ok, err := try(alpha, g.beta)
		if err != nil {
			return err
		}
		if done = ok; ok {
			break
		}
	}
	if !done {
		if err := g.drop(try, true); err != nil {
			return err
		}
	}
	return g.drop(try, false)
}

// touchesBeta reports whether a literal shares a variable with β.
func (g *generalizer) touchesBeta(lit *logic.Term) bool {
	vars := logic.FreeVars(g.beta...)
	return slices.ContainsFunc(logic.FreeVars(lit), func(s *logic.Term) bool { return slices.Contains(vars, s) })
}

// drop removes literals of α or β one by one as long as the query stays FALSE.
func (g *generalizer) drop(try func(a, b []*logic.Term) (bool, error), fromAlpha bool) error {
	side := func() []*logic.Term {
		if fromAlpha {
			return g.alpha
		}
		return g.beta
	}
	for i := 0; i < len(side()) && len(side()) > 1; {
		rest := slices.Delete(slices.Clone(side()), i, i+1)
		a, b := g.alpha, rest
		if fromAlpha {
			a, b = rest, g.beta
		}
		ok, err := try(a, b)
		if err != nil {
			return err
		}
		if !ok {
			i++
		}
	}
	return nil
}

// prove checks the query program of a candidate once.
func (g *generalizer) prove(ctx context.Context, alpha, beta *logic.Term) (*Proof, error) {
	lv := g.h.NewLevel(g.index+1, &QueryDetail{alpha, beta}, &Target{Cond: beta}, nil)
	r, err := g.h.check(ctx, lv, false)
	if err != nil || r.Verdict != seqmc.Safe {
		return nil, err
	}
	return lv.Proof(r.Invariants), nil
}
