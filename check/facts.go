package check

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// facts are the conjuncts of the certificate's invariant J, sorted by the
// program counters they mention.
type facts struct {
	pr      *program
	all     []*logic.Term
	classes []*factClass
	class   map[*logic.Term]*factClass
	rows    *rowIndex
	sums    *sumIndex
	free    map[*logic.Term][]*logic.Term
	// here has conjuncts with the pc of thread where.thread filled in.
	here  map[*logic.Term]*logic.Term
	where threadAt
}

// factClass has the conjuncts that mention the same pcs.
type factClass struct {
	pcs   []int
	conjs []*logic.Term
}

func (pr *program) newFacts(f *logic.Term) *facts {
	j := &facts{pr: pr, all: logic.Conjuncts(f), free: map[*logic.Term][]*logic.Term{}, class: map[*logic.Term]*factClass{}}
	byKey := map[string]*factClass{}
	for _, c := range j.all {
		syms := logic.FreeVars(c)
		j.free[c] = syms
		mentioned := make([]bool, len(pr.threads))
		for _, s := range syms {
			if t, ok := pr.pcOf[s]; ok {
				mentioned[t] = true
			}
		}
		key := fmt.Sprint(mentioned)
		cl := byKey[key]
		if cl == nil {
			cl = &factClass{}
			for t, m := range mentioned {
				if m {
					cl.pcs = append(cl.pcs, t)
				}
			}
			byKey[key] = cl
			j.classes = append(j.classes, cl)
		}
		cl.conjs = append(cl.conjs, c)
		j.class[c] = cl
	}
	j.rows = pr.index(j.all)
	j.sums = newSumIndex(j.rows)
	return j
}

// at returns the facts with thread t at a location (t < 0: none), restricted to
// those whose other pcs and whose variables are allowed.
func (j *facts) at(t, loc int, pc func(int) bool, local func(*ir.Var) bool) *logic.Term {
	l := j.pr.l
	if w := (threadAt{t, loc}); j.here == nil || j.where != w {
		j.here, j.where = map[*logic.Term]*logic.Term{}, w
	}
	sub := map[*logic.Term]*logic.Term{}
	if t >= 0 {
		sub[j.pr.threads[t].PC] = l.Int(int64(loc))
	}
	var out []*logic.Term
	add := func(c *logic.Term) {
		if !j.allowed(c, local) {
			return
		}
		if j.here[c] == nil {
			j.here[c] = l.Subst(c, sub)
		}
		out = append(out, j.here[c])
	}
	for _, cl := range j.classes {
		if !cl.allowed(t, pc) || slices.Contains(cl.pcs, t) {
			continue
		}
		for _, c := range cl.conjs {
			add(c)
		}
	}
	if t >= 0 {
		for _, c := range j.rows.factsAt(t, loc) {
			if j.class[c].allowed(t, pc) && slices.Contains(j.class[c].pcs, t) {
				add(c)
			}
		}
	}
	return l.And(out...)
}

func (cl *factClass) allowed(t int, pc func(int) bool) bool {
	for _, p := range cl.pcs {
		if p != t && !pc(p) {
			return false
		}
	}
	return true
}

func (j *facts) allowed(c *logic.Term, local func(*ir.Var) bool) bool {
	for _, s := range j.free[c] {
		if v := j.pr.varOf[s]; v != nil && !local(v) {
			return false
		}
	}
	return true
}

func anyPC(int) bool      { return true }
func anyVar(*ir.Var) bool { return true }

// checkFacts verifies that J and the ranges of all variables hold in every
// reachable state in which at most one thread is not at a cut-point.
func (c *checker) checkFacts() error {
	pr, l := c.pr, c.pr.l
	start := map[*logic.Term]*logic.Term{}
	for _, t := range pr.threads {
		start[t.PC] = l.Int(int64(t.Entry.Index))
	}
	for _, v := range pr.Vars {
		if v.Init != nil {
			start[v.Sym] = l.Value(*v.Init)
		}
	}
	obs := []*obligation{{bases: []base{c.prover.nothing}, hyp: l.True(), goal: l.Subst(l.And(c.facts.all...), start),
		what: "the facts do not hold initially"}}
	for _, t := range pr.threads {
		for _, n := range t.nodes {
			here := map[string]*logic.Term{}
			for _, a := range t.assigned {
				if a.from == n && !c.facts.rows.newBox(t.Index, n, a.cond).proves(nil, c.pr.TermInRange(a.val, a.v.Type)) {
					obs = append(obs, c.inType(t, a, here))
				}
			}
			for _, b := range t.out[n] {
				if !b.to.Error {
					obs = append(obs, c.blockFacts(t, b, here)...)
				}
			}
		}
	}
	return c.prover.prove(obs)
}

// inType returns the obligation that an assigned value is of the variable's type.
func (c *checker) inType(t *thread, a assigned, here map[string]*logic.Term) *obligation {
	return &obligation{bases: slices.Concat([]base{c.prover.nothing}, c.factsFor(c.pr.l.True(), t.Index, a.from, here)),
		hyp: a.cond, goal: c.pr.TermInRange(a.val, a.v.Type),
		what: fmt.Sprintf("thread %d: the value assigned to %s after location %d can be outside its type", t.Index, a.v.Name, a.from)}
}

// factsFor returns the facts while thread t is at a location, first those about
// the pcs that a goal mentions and then all. here remembers them.
func (c *checker) factsFor(goal *logic.Term, t, loc int, here map[string]*logic.Term) []base {
	mentioned, all := make([]bool, len(c.pr.threads)), make([]bool, len(c.pr.threads))
	for _, s := range logic.FreeVars(goal) {
		if k, ok := c.pr.pcOf[s]; ok {
			mentioned[k] = true
		}
	}
	for i := range all {
		all[i] = true
	}
	var out []base
	for _, set := range [][]bool{mentioned, all} {
		key := fmt.Sprint(set)
		out = append(out, func() *logic.Term {
			if here[key] == nil {
				here[key] = c.facts.at(t, loc, func(k int) bool { return set[k] }, anyVar)
			}
			return here[key]
		})
	}
	return out
}

// blockFacts returns the obligations that a block keeps the facts, without those
// that hold obviously. here is for the block's source, see [checker.factsFor].
func (c *checker) blockFacts(t *thread, b *block, here map[string]*logic.Term) []*obligation {
	var obs []*obligation
	after := map[*logic.Term]*logic.Term{t.PC: c.pr.l.Int(int64(b.to.Index))}
	for s, val := range b.env {
		after[s] = val
	}
	lost := fmt.Sprintf("the facts are not kept by thread %d between locations %d and %d", t.Index, b.from.Index, b.to.Index)
	box := c.facts.rows.newBox(t.Index, b.from.Index, b.cond)
	c.facts.rows.concerned(b, after, func(r *row, concl *logic.Term) {
		if c.facts.sums.proves(box, r.guard, concl) || box.proves(r.guard, concl) {
			return
		}
		for _, g := range logic.Conjuncts(c.pr.goal(r, t.Index, concl)) {
			obs = append(obs, &obligation{bases: c.factsFor(g, t.Index, b.from.Index, here), hyp: b.cond, goal: g, what: lost, about: r.fact})
		}
	})
	return obs
}

// inside reports whether a value is obviously within a type, given that every
// variable and input is within its own.
func inside(pr *program, val *logic.Term, typ ir.Type, inputs []input) bool {
	fits := func(t ir.Type) bool {
		lo, hi := t.Range()
		return typ.Contains(lo) && typ.Contains(hi)
	}
	switch val.Op() {
	case logic.OpInt:
		c, _ := val.Const()
		return typ.Contains(c)
	case logic.OpVar:
		if v := pr.varOf[val]; v != nil {
			return fits(v.Type)
		}
		for _, in := range inputs {
			if in.sym == val {
				return fits(in.typ)
			}
		}
	case logic.OpIte:
		return inside(pr, val.Args()[1], typ, inputs) && inside(pr, val.Args()[2], typ, inputs)
	}
	return false
}
