package check

import (
	"fmt"

	"comus/ir"
	"comus/logic"
)

// level is a level of a run: its main thread and its env_move.
type level struct {
	c       *checker
	main    *thread
	callers map[int]bool
	env     []*thread
	isEnv   map[int]bool
	// before maps the symbols that env_move changes, the environment's pcs and
	// what it writes, to those for their values before it.
	before      map[*logic.Term]*logic.Term
	seed        *logic.Term
	refinements []refinement
	known       map[threadAt]*logic.Term // the facts, by location of a thread
	move        map[int]*logic.Term      // env_move, by location of the main thread
}

// threadAt is a location of a thread, both by index.
type threadAt struct{ thread, loc int }

// refinement is a refinement of a level's env_move.
type refinement struct {
	number      int
	alpha, beta *logic.Term
	invariants  []Invariant
}

// newLevel reads level i of a run with this order.
func (c *checker) newLevel(order []int, i int, from Level) (*level, error) {
	pr := c.pr
	lv := &level{c: c, main: pr.threads[order[i]], callers: map[int]bool{}, isEnv: map[int]bool{},
		before: map[*logic.Term]*logic.Term{}, known: map[threadAt]*logic.Term{}, move: map[int]*logic.Term{}}
	for _, t := range order[:i] {
		lv.callers[t] = true
	}
	for _, k := range order[i+1:] {
		t := pr.threads[k]
		lv.env = append(lv.env, t)
		lv.isEnv[k] = true
		lv.before[t.PC] = pr.old(t.PC)
		for v := range t.changes {
			lv.before[v.Sym] = pr.old(v.Sym)
		}
	}
	inEnv := func(t int) bool { return lv.isEnv[t] }
	var err error
	if lv.seed, err = pr.parse(from.Seed, vocabulary{pcs: inEnv, vars: lv.notCallers, old: true}); err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	if len(lv.env) == 0 && len(from.Refinements) > 0 {
		return nil, fmt.Errorf("the last level has refinements")
	}
	voc := vocabulary{pcs: inEnv, vars: anyVar}
	for _, r := range from.Refinements {
		x := refinement{number: r.Number, invariants: r.Invariants}
		if x.alpha, err = pr.parse(r.Alpha, voc); err != nil {
			return nil, fmt.Errorf("refinement %d: alpha: %w", r.Number, err)
		}
		if x.beta, err = pr.parse(r.Beta, voc); err != nil {
			return nil, fmt.Errorf("refinement %d: beta: %w", r.Number, err)
		}
		lv.refinements = append(lv.refinements, x)
	}
	return lv, nil
}

// notCallers reports whether v is not a local variable of a caller.
func (lv *level) notCallers(v *ir.Var) bool { return !lv.callers[v.Thread] }

// speaksOf reports whether the level's program knows the pc of a thread.
func (lv *level) speaksOf(t int) bool { return !lv.callers[t] }

// moves reports whether env_move is called at a location of the main thread.
func (lv *level) moves(loc int) bool { return len(lv.env) > 0 && lv.main.cut[loc] }

// here fills in the main thread's location.
func (lv *level) here(f *logic.Term, loc int) *logic.Term {
	l := lv.c.pr.l
	return l.Subst(f, map[*logic.Term]*logic.Term{lv.main.PC: l.Int(int64(loc))})
}

// past reads a formula over the values before env_move. What the environment
// does not write has one value.
func (lv *level) past(f *logic.Term) *logic.Term { return lv.c.pr.l.Subst(f, lv.before) }

// facts returns what J says while thread t (the main thread or one of the
// environment) is at a location, as far as it speaks neither of the callers'
// locations nor of their local variables.
func (lv *level) facts(t *thread, loc int) base {
	at := threadAt{t.Index, loc}
	return func() *logic.Term {
		if lv.known[at] == nil {
			lv.known[at] = lv.c.facts.at(t.Index, loc, lv.speaksOf, lv.notCallers)
		}
		return lv.known[at]
	}
}

// envMove returns env_move at a location of the main thread.
func (lv *level) envMove(loc int) *logic.Term {
	if lv.move[loc] != nil {
		return lv.move[loc]
	}
	l := lv.c.pr.l
	facts := lv.facts(lv.main, loc)()
	parts := []*logic.Term{lv.unchanged(lv.seed), lv.past(facts), facts}
	for _, r := range lv.refinements {
		parts = append(parts, l.Or(l.Not(lv.past(r.alpha)), l.Not(r.beta)))
	}
	lv.move[loc] = l.And(parts...)
	return lv.move[loc]
}

// unchanged reads a relation where what the environment does not write has its
// value from before.
func (lv *level) unchanged(f *logic.Term) *logic.Term {
	pr := lv.c.pr
	sub := map[*logic.Term]*logic.Term{}
	for _, v := range pr.Vars {
		if lv.before[v.Sym] == nil {
			sub[pr.old(v.Sym)] = v.Sym
		}
	}
	return pr.l.Subst(f, sub)
}

// seedObligations returns the obligations that the seed contains every
// computation of the environment: it is reflexive, and closed under a block of
// the environment.
func (lv *level) seedObligations() []*obligation {
	if len(lv.env) == 0 || lv.seed.IsTrue() {
		return nil
	}
	l := lv.c.pr.l
	same := map[*logic.Term]*logic.Term{}
	for sym := range lv.before {
		same[lv.before[sym]] = sym
	}
	seed := lv.unchanged(lv.seed)
	none := func() *logic.Term { return lv.c.facts.at(-1, 0, lv.speaksOf, lv.notCallers) }
	obs := []*obligation{{bases: []base{lv.c.prover.nothing, none}, hyp: l.True(), goal: l.Subst(seed, same),
		what: "the seed is not reflexive"}}
	for _, t := range lv.env {
		for _, n := range t.nodes {
			pc := func(loc int) map[*logic.Term]*logic.Term {
				return map[*logic.Term]*logic.Term{t.PC: l.Int(int64(loc))}
			}
			known := lv.facts(t, n)
			for _, b := range t.out[n] {
				if b.to.Error {
					continue
				}
				after := pc(b.to.Index)
				for s, val := range b.env {
					after[s] = val
				}
				obs = append(obs, &obligation{bases: []base{lv.c.prover.nothing, known},
					hyp: l.And(l.Subst(seed, pc(n)), b.cond), goal: l.Subst(seed, after),
					what: fmt.Sprintf("the seed is not kept by thread %d between locations %d and %d", t.Index, n, b.to.Index)})
			}
		}
	}
	return obs
}

// initial fills the values of the initial state into f, except the callers' local
// variables, which can be anything.
func (lv *level) initial(f *logic.Term) *logic.Term {
	pr, l := lv.c.pr, lv.c.pr.l
	sub := map[*logic.Term]*logic.Term{}
	for _, v := range pr.Vars {
		if v.Init != nil && lv.notCallers(v) {
			sub[v.Sym] = l.Value(*v.Init)
		}
	}
	for _, t := range lv.env {
		sub[t.PC] = l.Int(int64(t.Entry.Index))
	}
	return l.Subst(f, sub)
}

// running returns the obligations of the main thread's steps and of env_move from
// the phase at on.
func (lv *level) running(inv *invariants, errors bool) []*obligation {
	var obs []*obligation
	for _, n := range lv.main.nodes {
		from := inv.at(n, PhaseAt)
		if lv.moves(n) {
			obs = append(obs, lv.keeps(inv, n, PhaseAt, PhaseMoved))
			from = inv.at(n, PhaseMoved)
		}
		obs = append(obs, lv.steps(inv, n, from, PhaseAt, errors)...)
	}
	return obs
}

// keeps returns the obligation that env_move at a location leads from the
// invariant of one phase to that of another.
func (lv *level) keeps(inv *invariants, loc int, from, to string) *obligation {
	hyp := lv.past(inv.at(loc, from))
	o := &obligation{hyp: hyp, goal: inv.at(loc, to),
		what: fmt.Sprintf("the invariant at location %d (%s) is not kept by env_move", loc, to)}
	o.bases = []base{lv.c.prover.nothing, func() *logic.Term { return lv.envMove(loc) }}
	return o
}

// steps returns the obligations of the main thread's blocks that leave a node
// where from holds: those to nodes lead to the invariant of the phase there,
// those to error locations are not possible (if errors is set, else they do not
// matter).
func (lv *level) steps(inv *invariants, loc int, from *logic.Term, phase string, errors bool) []*obligation {
	l := lv.c.pr.l
	if from.IsFalse() {
		return nil
	}
	bases := []base{lv.c.prover.nothing, lv.facts(lv.main, loc)}
	var obs []*obligation
	for _, b := range lv.main.out[loc] {
		o := &obligation{bases: bases, hyp: l.And(from, b.cond)}
		switch {
		case !b.to.Error:
			o.goal = l.Subst(inv.at(b.to.Index, phase), b.env)
			o.what = fmt.Sprintf("the invariant at location %d (%s) does not follow from location %d", b.to.Index, phase, loc)
		case errors:
			o.goal = l.False()
			o.what = fmt.Sprintf("the error location %d can be reached from location %d", b.to.Index, loc)
		default:
			continue
		}
		obs = append(obs, o)
	}
	return obs
}

// mainObligations returns the obligations that the level's program in normal mode
// does not reach an error.
func (lv *level) mainObligations(list []Invariant) ([]*obligation, error) {
	inv, err := lv.readInvariants(list, false)
	if err != nil {
		return nil, err
	}
	l := lv.c.pr.l
	entry := lv.main.Entry.Index
	obs := []*obligation{{bases: []base{lv.c.prover.nothing}, hyp: l.True(), goal: lv.initial(inv.at(entry, PhaseAt)),
		what: fmt.Sprintf("the invariant at the entry, location %d, does not hold initially", entry)}}
	return append(obs, lv.running(inv, true)...), nil
}

// queryObligations returns the obligations that the level's program in query mode
// for a refinement of the level above does not reach its goal.
func (lv *level) queryObligations(above *level, r refinement) ([]*obligation, error) {
	inv, err := lv.readInvariants(r.invariants, true)
	if err != nil {
		return nil, err
	}
	l := lv.c.pr.l
	entry := lv.main.Entry.Index
	obs := []*obligation{{bases: []base{lv.c.prover.nothing}, hyp: l.True(), goal: lv.initial(inv.at(entry, PhaseBefore)),
		what: fmt.Sprintf("the invariant at the entry, location %d (before), does not hold initially", entry)}}
	for _, n := range lv.main.nodes {
		before := inv.at(n, PhaseBefore)
		obs = append(obs, lv.steps(inv, n, before, PhaseBefore, false)...)
		if !lv.main.cut[n] {
			continue
		}
		facts := lv.facts(lv.main, n)
		obs = append(obs, lv.calls(before, n))
		if lv.moves(n) {
			obs = append(obs, lv.keeps(inv, n, PhaseBefore, PhaseBefore))
		}
		at := inv.at(n, PhaseAt)
		obs = append(obs, &obligation{bases: []base{lv.c.prover.nothing, facts}, hyp: l.And(before, lv.here(r.alpha, n)), goal: at,
			what: fmt.Sprintf("the invariant at location %d (at) does not hold at the query's start", n)})
		for _, ph := range []string{PhaseAt, PhaseMoved} {
			if ph == PhaseMoved && !lv.moves(n) {
				continue
			}
			obs = append(obs, &obligation{bases: []base{lv.c.prover.nothing, facts}, hyp: l.And(inv.at(n, ph), lv.here(r.beta, n)), goal: l.False(),
				what: fmt.Sprintf("beta is possible at location %d (%s)", n, ph)})
		}
	}
	return append(obs, lv.running(inv, false)...), nil
}

// calls returns the obligation that the invariant before a query's start is kept
// by whatever the callers do.
func (lv *level) calls(before *logic.Term, loc int) *obligation {
	pr := lv.c.pr
	sub := map[*logic.Term]*logic.Term{}
	for k := range lv.callers {
		for v := range pr.threads[k].changes {
			if v.Thread == ir.Shared {
				sub[v.Sym] = pr.old(v.Sym)
			}
		}
	}
	hyp := pr.l.Subst(before, sub)
	o := &obligation{bases: []base{lv.c.prover.nothing}, hyp: hyp, goal: before,
		what: fmt.Sprintf("the invariant at location %d (before) is not kept by the callers", loc)}
	if hyp != before {
		o.bases = append(o.bases, lv.facts(lv.main, loc))
	}
	return o
}
