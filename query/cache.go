package query

import (
	"context"
	"slices"

	"comus/cutpoints"
	"comus/logic"
	"comus/z3"
)

// cache has what earlier queries found out and later ones can use.
type cache struct {
	plans   []knownPlan
	entails map[[2]*logic.Term]bool
	// failed has the candidate generalisations that could not be proved at once,
	// with the number of refinements that the next level's env_move had.
	failed map[candidateKey]int
}

// knownPlan is steps of the environment that lead to states of beta.
type knownPlan struct {
	beta *logic.Term
	plan []*cutpoints.Block
}

// candidateKey names a candidate pair (α, β) of a level.
type candidateKey struct {
	level       int
	alpha, beta *logic.Term
}

func newCache() cache {
	return cache{entails: map[[2]*logic.Term]bool{}, failed: map[candidateKey]int{}}
}

// maxPlans bounds the number of plans that are tried for a question.
const maxPlans = 32

// remember keeps the plans of an answer. The end of a plan is a plan, too.
func (c *cache) remember(h *Hierarchy, beta *logic.Term, ways []Way) {
	if h.Options.NoCache {
		return
	}
	for _, w := range ways {
		for i := len(w.Plan) - 1; i >= 0; i-- {
			from := w.Plan[i].From
			if !h.Graphs[from.Thread.Index].Cut[from.Index] {
				continue
			}
			end := w.Plan[i:]
			if !slices.ContainsFunc(c.plans, func(k knownPlan) bool { return k.beta == beta && slices.Equal(k.plan, end) }) {
				c.plans = append(c.plans, knownPlan{beta, end})
			}
		}
	}
}

// recall looks for a known plan of the environment that leads from some of the
// states to one of the endings, of which beta is the projection. It tries those that led to
// states of beta before, whatever level asked: if their threads belong to this
// environment it can make these steps.
//
// Only TRUE answers are worth remembering here. What is known to be FALSE is in
// env_move already, which allowed the move that the question is about.
func (p *post) recall(ctx context.Context, beta *logic.Term, ends []ending) ([]*Target, error) {
	h := p.lv.h
	if h.Options.NoCache {
		return nil, nil
	}
	tried := 0
	for i := len(h.cache.plans) - 1; i >= 0 && tried < maxPlans; i-- {
		k := h.cache.plans[i]
		if slices.ContainsFunc(k.plan, func(b *cutpoints.Block) bool { return !slices.Contains(p.lv.move.Env, b.From.Thread.Index) }) {
			continue
		}
		if ok, err := h.entails(ctx, k.beta, beta); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		tried++
		if ts, err := p.promise(ctx, k.plan, ends); len(ts) > 0 || err != nil {
			h.Stats.CacheHits += min(len(ts), 1)
			return ts, err
		}
	}
	return nil, nil
}

// entails reports whether a implies b, as far as can be told.
func (h *Hierarchy) entails(ctx context.Context, a, b *logic.Term) (bool, error) {
	if a == b {
		return true, nil
	}
	key := [2]*logic.Term{a, b}
	if r, ok := h.cache.entails[key]; ok {
		return r, nil
	}
	has := logic.Conjuncts(a)
	missing := slices.DeleteFunc(slices.Clone(logic.Conjuncts(b)), func(c *logic.Term) bool { return slices.Contains(has, c) })
	r := len(missing) == 0
	if !r {
		l := h.P.L
		// The scope of a path may be open: names of its own keep its conditions out.
		own := map[*logic.Term]*logic.Term{}
		for _, s := range logic.FreeVars(a, b) {
			own[s] = l.Var("entails:"+s.Name(), s.Sort())
		}
		st, _, err := h.solver.Check(ctx, l.Subst(a, own), l.Not(l.Subst(l.And(missing...), own)))
		if ctx.Err() != nil {
			return false, solverError(ctx, err)
		}
		r = st == z3.Unsat
	}
	h.cache.entails[key] = r
	return r, nil
}
