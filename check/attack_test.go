package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"comus/ir"
	"comus/logic"
)

// Attack falsifies facts of a certificate at random, again and again: it changes
// constants by one and drops disjuncts. Each time it compares what the checker says
// about the facts with what the solver says about all of them at once. It returns how
// many were accepted and rejected.
func Attack(t testing.TB, r *rand.Rand, p *ir.Program, c *Certificate, rounds int) (accepted, rejected int) {
	t.Helper()
	pr, err := newProgram(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := pr.readThreads(c); err != nil {
		t.Fatal(err)
	}
	f, err := pr.parse(c.Facts, vocabulary{pcs: anyPC, vars: anyVar})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds {
		list := append([]*logic.Term{}, logic.Conjuncts(f)...)
		if len(list) == 0 {
			return
		}
		var changes string
		for range min(i, 1+r.IntN(2)) { // the first round is the true certificate
			k := r.IntN(len(list))
			if r.IntN(8) == 0 {
				list[k] = pr.l.True()
				continue
			}
			g := falsify(r, pr.l, list[k])
			changes += fmt.Sprintf("%s became %s\n", list[k], g)
			list[k] = g
		}
		ck := testChecker(t, pr, pr.l.And(list...))
		fast := ck.checkFacts() == nil
		if fast {
			accepted++
		} else {
			rejected++
		}
		if slow := ck.inductive(t); fast != slow {
			t.Errorf("accepted %v, inductive %v:\n%s", fast, slow, changes)
		}
		ck.prover.s.Close()
	}
	return accepted, rejected
}

// falsify changes a constant of a formula, or drops an operand.
func falsify(r *rand.Rand, l *logic.Store, f *logic.Term) *logic.Term {
	if c, ok := f.Const(); ok && f.Sort() == logic.Int {
		return l.Value(c.Add(logic.IntValue([]int64{1, -1, 2}[r.IntN(3)])))
	}
	args := append([]*logic.Term{}, f.Args()...)
	if len(args) == 0 {
		return f
	}
	k := r.IntN(len(args))
	if (f.Op() == logic.OpOr || f.Op() == logic.OpAnd) && r.IntN(3) == 0 {
		args = append(args[:k], args[k+1:]...)
		if f.Op() == logic.OpOr {
			return l.Or(args...)
		}
		return l.And(args...)
	}
	if f.Op() == logic.OpLe || f.Op() == logic.OpEq {
		k = 1 // mostly the bound or the location
	}
	args[k] = falsify(r, l, args[k])
	return l.Rebuild(f, args)
}

// inductive decides with the solver only, and all at once, whether facts and types
// hold initially and are kept.
func (c *checker) inductive(t testing.TB) bool {
	pr, l := c.pr, c.pr.l
	all := l.And(c.facts.all...)
	start := map[*logic.Term]*logic.Term{}
	for _, v := range pr.Vars {
		if v.Init != nil {
			start[v.Sym] = l.Value(*v.Init)
		}
	}
	for _, th := range pr.threads {
		start[th.PC] = l.Int(int64(th.Entry.Index))
	}
	valid := func(hyp, goal *logic.Term) bool {
		ok, err := c.prover.valid(hyp, goal)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !valid(l.True(), l.Subst(all, start)) {
		return false
	}
	for _, th := range pr.threads {
		for _, n := range th.nodes {
			before := l.Subst(all, map[*logic.Term]*logic.Term{th.PC: l.Int(int64(n))})
			for _, a := range th.assigned {
				if a.from == n && !valid(l.And(before, a.cond), pr.TermInRange(a.val, a.v.Type)) {
					return false
				}
			}
			for _, b := range th.out[n] {
				after := map[*logic.Term]*logic.Term{th.PC: l.Int(int64(b.to.Index))}
				for s, val := range b.env {
					after[s] = val
				}
				if !b.to.Error && !valid(l.And(before, b.cond), l.Subst(all, after)) {
					return false
				}
			}
		}
	}
	return true
}
