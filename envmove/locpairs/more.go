package locpairs

import (
	"slices"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Place is a location of a thread, both by index.
type Place struct{ Thread, Loc int }

// Fact says that a formula over variables holds in every reachable state in which
// threads are at certain places, one thread at most once.
type Fact struct {
	At    []Place
	Holds *logic.Term
	// Goal facts are among [Facts.Clauses], others are needed for the proof that all
	// together are an invariant only.
	Goal bool
}

// Add adds facts of another analysis. The invariant, together with those added
// before, has to stay inductive.
func (f *Facts) Add(facts ...Fact) { f.more = append(f.more, facts...) }

// moreAt returns the goals about thread i at location a and places of others, whose
// variables are shared or of these threads, and such that keep holds.
func (f *Facts) moreAt(i, a int, others []int, keep func(*ir.Var) bool) []*logic.Term {
	if len(f.more) == 0 {
		return nil
	}
	tab := f.p.Symbols()
	known := func(t int) bool { return t == i || slices.Contains(others, t) }
	var out []*logic.Term
	for n := range f.more {
		x := &f.more[n]
		if !x.Goal || !slices.Contains(x.At, Place{i, a}) ||
			slices.ContainsFunc(x.At, func(p Place) bool { return !known(p.Thread) }) ||
			slices.ContainsFunc(logic.FreeVars(x.Holds), func(s *logic.Term) bool {
				v := tab[s]
				return v.Thread != ir.Shared && !known(v.Thread) || keep != nil && !keep(v)
			}) {
			continue
		}
		out = append(out, f.clause(x, i))
	}
	return out
}

// clause returns a fact as a formula over the pcs, that of thread except filled in.
func (f *Facts) clause(x *Fact, except int) *logic.Term {
	l := f.p.L
	parts := []*logic.Term{x.Holds}
	for _, p := range x.At {
		if p.Thread != except {
			parts = append(parts, l.Ne(f.p.Threads[p.Thread].PC, l.Int(int64(p.Loc))))
		}
	}
	return l.Or(parts...)
}

// moreClauses returns all added facts as formulas over the pcs.
func (f *Facts) moreClauses() []*logic.Term {
	var out []*logic.Term
	for n := range f.more {
		out = append(out, f.clause(&f.more[n], -1))
	}
	return out
}

// Values is what is known of the variables' values at a place; nil knows nothing.
type Values struct{ s *state }

// Values returns what is known while thread i is at location a.
func (f *Facts) Values(i, a int) *Values {
	s := f.hull(i, a)
	if s == nil {
		return nil
	}
	return &Values{s.clone()}
}

// Run takes commands; false when they cannot be passed.
func (v *Values) Run(cmds ...ir.Cmd) bool { return v == nil || v.s.run(cmds) }

// Bounds returns bounds of a term; nil stands for none.
func (v *Values) Bounds(t *logic.Term) (lo, hi *logic.Value) {
	if v == nil {
		return nil, nil
	}
	iv := v.s.eval(t)
	if iv.hasLo {
		lo = &iv.lo
	}
	if iv.hasHi {
		hi = &iv.hi
	}
	return lo, hi
}

// Possible reports whether two different threads can be at two places together, as
// far as is known.
func (f *Facts) Possible(x, y Place) bool {
	p, at := f.between(x.Thread, x.Loc, y.Thread, y.Loc)
	return p == nil || p.states[at] != nil
}

// Passes reports whether thread i can take a block while another thread is at a
// place, as far as is known.
func (f *Facts) Passes(i int, b *cutpoints.Block, y Place) bool {
	p, at := f.between(i, b.From.Index, y.Thread, y.Loc)
	if p == nil {
		return true
	}
	c := p.states[at]
	return c != nil && c.clone().run(b.Cmds())
}

// Least returns a lower bound of a shared variable in all reachable states; nil
// stands for none.
func (f *Facts) Least(v *ir.Var) *logic.Value {
	var best *logic.Value
	for i := range f.pairs {
		for _, p := range f.pairs[i] {
			if p == nil {
				continue
			}
			x, ok := p.index[v.Sym]
			if !ok {
				continue
			}
			if lo := p.least(x); lo != nil && (best == nil || lo.Cmp(*best) > 0) {
				best = lo
			}
		}
	}
	return best
}

// least returns a lower bound of a pair's variable in all its states.
func (p *pair) least(x int) *logic.Value {
	var lo *logic.Value
	for _, c := range p.states {
		iv := c.ivs[x]
		if !iv.hasLo {
			return nil
		}
		if lo == nil || iv.lo.Cmp(*lo) < 0 {
			lo = &iv.lo
		}
	}
	return lo
}
