package query

import (
	"context"
	"errors"
	"slices"

	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
	"comus/z3"
)

// generalizer weakens a pair (α, β) for which the query is answered FALSE: the
// procedure Gen_E of the CoMuS paper. It has two means. A candidate pair that is
// weaker as a whole costs one sequential check with env_move as it is; what that
// check cannot prove at once is given up. Dropping single literals costs plain
// solver calls only: the invariants of the last proof stay a proof as long as α
// still implies the invariant at the query's start, and β still contradicts the
// invariants after it.
type generalizer struct {
	h     *Hierarchy
	index int
	alpha []*logic.Term // literals, conjoined
	beta  []*logic.Term
	proof *Proof
}

// candidate is a pair that is weaker than the one asked about.
type candidate struct {
	alpha, beta []*logic.Term // literals, conjoined
}

// run tries first, for each literal b of β that α excludes, the pair (¬b, b): the
// environment never makes b true. Then come α = true and α = ¬β, which may
// stay valid for more questions, and the literals that the proof does not need.
func (g *generalizer) run(ctx context.Context) error {
	defer g.h.timings.Start(timing.Generalisation)()
	l := g.h.P.L
	var candidates []candidate
	if len(g.beta) > 1 {
		for _, b := range g.beta {
			st, _, err := g.h.solver.Check(ctx, append(slices.Clone(g.alpha), b)...)
			if st == z3.Unknown {
				return solverError(ctx, err)
			}
			if st == z3.Unsat {
				candidates = append(candidates, candidate{[]*logic.Term{l.Not(b)}, []*logic.Term{b}})
			}
		}
	}
	if ok, err := g.tryAll(ctx, candidates); ok || err != nil {
		return err
	}
	if err := g.dropLiterals(ctx); err != nil {
		return err
	}
	ok, err := g.tryAll(ctx, []candidate{{nil, g.beta}, {[]*logic.Term{l.Not(l.And(g.beta...))}, g.beta}})
	if ok {
		return g.dropLiterals(ctx)
	}
	return err
}

// tryAll replaces the pair by the first candidate that can be proved at once. As
// many candidates as there are workers are checked at the same time; which one is
// taken does not depend on that.
func (g *generalizer) tryAll(ctx context.Context, candidates []candidate) (bool, error) {
	for len(candidates) > 0 {
		var batch []*attempt
		for len(candidates) > 0 && len(batch) < g.h.workers() {
			a, err := g.attempt(ctx, candidates[0])
			if err != nil {
				return false, err
			}
			candidates = candidates[1:]
			if a != nil {
				batch = append(batch, a)
			}
		}
		if err := g.h.checkAll(ctx, batch); err != nil {
			return false, err
		}
		for _, a := range batch {
			if a.result.Verdict == seqmc.Safe {
				g.alpha, g.beta, g.proof = a.alpha, a.beta, a.level.Proof(a.result.Invariants)
				return true, nil
			}
			if a.result.Verdict == seqmc.Unsafe {
				g.h.cache.failed[a.key] = a.refinements
			}
		}
	}
	return false, nil
}

// attempt is the check of a candidate.
type attempt struct {
	candidate
	key         candidateKey
	refinements int
	level       *Level
	result      seqmc.Result
}

// attempt prepares the check of a candidate; nil if there is no hope for it.
func (g *generalizer) attempt(ctx context.Context, c candidate) (*attempt, error) {
	l := g.h.P.L
	a, b := l.And(c.alpha...), l.And(c.beta...)
	key := candidateKey{g.index + 1, a, b}
	refinements := len(g.h.Moves[g.index+1].Refinements)
	if n, ok := g.h.cache.failed[key]; ok && n == refinements && !g.h.Options.NoCache {
		g.h.Stats.CacheHits++
		return nil, nil
	}
	if ok, err := g.hopeful(ctx, a, b); !ok || err != nil {
		return nil, err
	}
	lv := g.h.NewLevel(g.index+1, &QueryDetail{Alpha: c.alpha, Beta: b}, &Target{Cond: b}, nil)
	return &attempt{candidate: c, key: key, refinements: refinements, level: lv}, nil
}

// hopeful reports whether no state of α that the facts allow is in β already, at
// any cut-point of the next level's main thread.
func (g *generalizer) hopeful(ctx context.Context, alpha, beta *logic.Term) (bool, error) {
	l := g.h.P.L
	move := g.h.Moves[g.index+1]
	thread := g.h.P.Threads[move.Main]
	for _, loc := range g.h.Graphs[move.Main].Cuts() {
		at := map[*logic.Term]*logic.Term{thread.PC: l.Int(int64(loc.Index))}
		both := l.Subst(l.And(alpha, beta), at)
		if both.IsFalse() {
			continue
		}
		st, _, err := g.h.solver.Check(ctx, both, move.StateFacts(loc.Index, g.mentioned(both)))
		if st == z3.Unknown {
			return false, solverError(ctx, err)
		}
		if st == z3.Sat {
			return false, nil
		}
	}
	return true, nil
}

// mentioned returns the test for the variables of a formula.
func (g *generalizer) mentioned(f *logic.Term) func(*ir.Var) bool {
	vars := map[*ir.Var]bool{}
	for _, s := range logic.FreeVars(f) {
		vars[g.h.tab[s]] = true
	}
	return func(v *ir.Var) bool { return vars[v] }
}

// dropLiterals keeps those literals of α and β that the proof's invariants need.
func (g *generalizer) dropLiterals(ctx context.Context) error {
	l := g.h.P.L
	move := g.h.Moves[g.index+1]
	pc := g.h.P.Threads[move.Main].PC
	inv := func(loc int, ph Phase) *logic.Term {
		if f := g.proof.Invariants[Place{loc, ph}]; f != nil {
			return f
		}
		return l.False()
	}
	var alpha, beta []*logic.Term
	for _, loc := range g.h.Graphs[move.Main].Cuts() {
		here := map[*logic.Term]*logic.Term{pc: l.Int(int64(loc.Index))}
		before, after := inv(loc.Index, BeforeOnly), inv(loc.Index, Normal)
		next, err := g.need(ctx, alpha, g.alpha, here, before, l.Not(after))
		if errors.Is(err, errInsufficient) {
			// What is left of the states before the move is what the proof
			// needs of them: they are not reachable at this location, or in the
			// invariant after the start.
			away := l.Not(l.Eq(pc, l.Int(int64(loc.Index))))
			next, err = append(slices.Clone(alpha), l.Or(away, l.Not(before), after)), nil
		}
		if err != nil {
			return err
		}
		alpha = next
		for _, f := range []*logic.Term{after, inv(loc.Index, Moved)} {
			beta, err = g.need(ctx, beta, g.beta, here, f)
			if errors.Is(err, errInsufficient) {
				return nil // not a proof: the checker will say so
			}
			if err != nil {
				return err
			}
		}
	}
	g.alpha, g.beta = alpha, beta
	return nil
}

// errInsufficient means that literals do not contradict what they should: the
// query was about fewer states than the literals describe (see
// QueryDetail.Exact), or the backend's invariants are not what they should be.
var errInsufficient = errors.New("the literals do not suffice")

// need adds to kept those literals of all that make base unsatisfiable at a
// location.
func (g *generalizer) need(ctx context.Context, kept, all []*logic.Term, here map[*logic.Term]*logic.Term, base ...*logic.Term) ([]*logic.Term, error) {
	l := g.h.P.L
	order := slices.Clone(kept)
	for _, lit := range all {
		if !slices.Contains(kept, lit) {
			order = append(order, lit)
		}
	}
	located := make([]*logic.Term, len(order))
	for i, lit := range order {
		located[i] = l.Subst(lit, here)
	}
	if l.And(slices.Concat(base, located[:len(kept)])...).IsFalse() {
		return kept, nil
	}
	_, enough, err := g.h.solver.Core(ctx, base, located[:len(kept)])
	if err != nil || enough {
		return kept, err
	}
	core, ok, err := g.h.solver.Core(ctx, base, located)
	if err != nil {
		return nil, solverError(ctx, err)
	}
	if !ok {
		return nil, errInsufficient
	}
	for i, lit := range order {
		if slices.Contains(core, located[i]) && !slices.Contains(kept, lit) {
			kept = append(kept, lit)
		}
	}
	return kept, nil
}
