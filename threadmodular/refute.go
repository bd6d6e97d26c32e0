package threadmodular

import (
	"context"
	"slices"

	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// obligation is a clause in the solver: its condition, and of what is known of its body those lemmas that were needed so far, as most clauses
// hold by a few. It stays there while lemmas about its head are dropped, so that the solver does not begin again with each.
type obligation struct {
	h    *lemmas
	c    clause
	used []use                         // the lemmas about the body that the solver has
	sub  []map[*logic.Term]*logic.Term // the arguments of the body
	not  []*logic.Term                 // the negations of the lemmas about the head, as far as they have been needed
	head map[*logic.Term]*logic.Term   // its arguments
	goal *logic.Term                   // some lemma about the head does not hold
}

// use is a lemma about one of a clause's bodies.
type use struct{ body, lemma int }

// maxNeeded bounds how many lemmas the solver is given at once.
const maxNeeded = 150

// arguments returns the arguments of a relation's parameters.
func (a app) arguments() map[*logic.Term]*logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for i, p := range a.rel.params {
		if p != a.args[i] {
			sub[p] = a.args[i]
		}
	}
	return sub
}

// open gives a clause to the solver.
func (h *lemmas) open(c clause) *obligation {
	o := &obligation{h: h, c: c, goal: h.s.l.True()}
	for _, a := range c.body {
		o.sub = append(o.sub, a.arguments())
	}
	if c.head != nil { // of the others, each is looked at once
		o.used = h.needed[c.head]
		o.head = c.head.arguments()
		o.not = make([]*logic.Term, len(h.candidates(c.head.rel)))
	}
	o.begin()
	return o
}

// begin gives the solver what is still known.
func (o *obligation) begin() {
	o.h.solver.Push()
	o.h.solver.Assert(o.c.cond...)
	o.used = slices.DeleteFunc(o.used, func(u use) bool { return !o.alive(u) })
	for _, u := range o.used {
		o.h.solver.Assert(o.lemma(u))
	}
	o.h.solver.Assert(o.goal)
}

// close takes the clause out of the solver.
func (o *obligation) close() {
	o.h.solver.Pop()
	if o.c.head != nil {
		o.h.needed[o.c.head] = o.used
	}
}

func (o *obligation) alive(u use) bool { return o.h.alive[o.c.body[u.body].rel][u.lemma] }

// lemma returns a lemma about the arguments of the body.
func (o *obligation) lemma(u use) *logic.Term {
	return o.h.s.l.Subst(o.h.candidates(o.c.body[u.body].rel)[u.lemma].f, o.sub[u.body])
}

// violated returns that some lemma about the head does not hold. Later such formulas imply earlier ones.
func (o *obligation) violated() *logic.Term {
	l, r := o.h.s.l, o.c.head.rel
	if o.h.alive[r] == nil { // not reached so far
		return l.True()
	}
	var out []*logic.Term
	for i, m := range o.h.candidates(r) {
		if !o.h.alive[r][i] || o.h.isImplied(r, m) {
			continue
		}
		if o.not[i] == nil {
			o.not[i] = l.Not(l.Subst(m.f, o.head))
		}
		out = append(out, o.not[i])
	}
	return l.Or(out...)
}

// apply drops candidates about the head of a clause until the clause holds.
func (h *lemmas) apply(ctx context.Context, c clause) error {
	o := h.open(c)
	defer o.close()
	for {
		goal := o.violated()
		if goal.IsFalse() {
			return nil
		}
		m, err := o.find(ctx, goal)
		if m == nil {
			return err
		}
		values := h.operands(m, *c.head)
		h.drop(c.head.rel, values)
		h.follow(c.head.rel, values)
	}
}

// refute looks for values with which a clause's condition and what is known of its body hold.
func (h *lemmas) refute(ctx context.Context, c clause) (*smt.Model, error) {
	o := h.open(c)
	defer o.close()
	return o.find(ctx, h.s.l.True())
}

// find looks for values with which the clause's condition and what is known of its body hold, and goal, which implies those before.
func (o *obligation) find(ctx context.Context, goal *logic.Term) (*smt.Model, error) {
	h := o.h
	o.goal = goal
	if slices.ContainsFunc(o.used, func(u use) bool { return !o.alive(u) }) {
		h.solver.Pop()
		o.begin()
	} else {
		h.solver.Assert(goal)
	}
	for {
		st, m, err := h.solver.Check(ctx)
		if st == z3.Unsat || err != nil {
			return nil, err
		}
		if !o.need(m) {
			return m, nil
		}
	}
}

// need gives the solver lemmas about the body that exclude a model, and reports whether there are any.
func (o *obligation) need(m *smt.Model) bool {
	h, found := o.h, 0
	for k, a := range o.c.body {
		values := h.operands(m, a)
		for i, x := range h.candidates(a.rel) {
			if found < maxNeeded && h.alive[a.rel][i] && !h.isImplied(a.rel, x) && !h.holds(x, a.rel, values) {
				found++
				u := use{k, i}
				o.used = append(o.used, u)
				h.solver.Assert(o.lemma(u))
			}
		}
	}
	return found > 0
}
