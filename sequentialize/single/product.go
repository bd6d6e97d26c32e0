package single

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// maxProduct bounds the locations of a product, maxKnown those of one in which the values
// of all variables are followed.
const maxProduct, maxKnown = 4000, 20_000

// state is a location of the product: where each thread is, which one is between its
// points (-1: none), and the values of variables that are known there. The sequential
// program's variable has the value of any other, and that of a known one does not matter.
type state struct {
	at     []*ir.Loc
	inside int
	known  map[*ir.Var]logic.Value
}

// product makes the program in which the places of threads are in the location. Along a
// path, variables with finitely many values are evaluated as far as their values are
// known, and are forgotten where they are not read any more.
type product struct {
	*builder
	track map[*ir.Var]bool
	free  bool
	live  []map[*ir.Loc]map[*ir.Var]bool
	locs  map[string]*ir.Loc
	work  []state
	// computes tells that something is assumed or computed on an edge, fails that there is
	// an error location.
	computes, fails bool
}

// newProduct returns the product of a program's threads, nil if it is too large. In most
// programs without inputs the values of all variables are known everywhere: the product is
// a graph in which nothing is assumed or computed, and has an error location if one is
// reached; there are two edges for an input with two values. In others only variables are followed that have few values for sure, so that
// what the rest count does not multiply the locations.
func newProduct(p *ir.Program) *Program {
	all := map[*ir.Var]bool{}
	for _, v := range p.Vars {
		all[v] = true
	}
	switch x := follow(p, all, maxKnown, true); {
	case x != nil && x.fails:
		return x.out
	case x != nil: // control never gets to an error
		b := newBuilder(p)
		b.keepVars()
		return b.out
	}
	if x := follow(p, finite(p), maxProduct, false); x != nil {
		return x.out
	}
	return nil
}

// follow returns the product in which the values of certain variables are followed, nil if
// it has more locations than limit. With free, it is also nil if something is not known,
// and ends with the first error.
func follow(p *ir.Program, track map[*ir.Var]bool, limit int, free bool) *product {
	b := newBuilder(p)
	b.keepVars()
	x := &product{builder: b, track: track, free: free, locs: map[string]*ir.Loc{}}
	for _, t := range p.Threads {
		x.live = append(x.live, liveLocals(p, t))
	}
	first := state{inside: -1, known: map[*ir.Var]logic.Value{}}
	for _, t := range p.Threads {
		first.at = append(first.at, t.Entry)
	}
	for _, v := range p.Vars {
		if x.track[v] && v.Init != nil {
			first.known[v] = *v.Init
		}
	}
	x.silent(b.thread.Entry, x.loc(first), "")
	for len(x.work) > 0 && !(x.free && x.fails) {
		s := x.work[0]
		x.work = x.work[1:]
		for i, l := range s.at {
			if s.inside >= 0 && s.inside != i {
				continue
			}
			for _, e := range l.Out {
				x.take(s, e)
			}
		}
		if len(x.locs) > limit || x.free && x.computes {
			return nil
		}
	}
	return x
}

// loc returns the location of a state.
func (x *product) loc(s state) *ir.Loc {
	for v := range s.known {
		if v.Thread >= 0 && !x.live[v.Thread][s.at[v.Thread]][v] {
			delete(s.known, v)
		}
	}
	var key strings.Builder
	fmt.Fprint(&key, s.inside)
	for _, l := range s.at {
		fmt.Fprint(&key, " ", l.Index)
	}
	for _, v := range x.from.Vars {
		if k, ok := s.known[v]; ok {
			fmt.Fprint(&key, " ", v.Index, "=", k)
		}
	}
	if l := x.locs[key.String()]; l != nil {
		return l
	}
	l := x.thread.NewLoc(ir.Pos{})
	x.locs[key.String()] = l
	for _, at := range s.at {
		if at.Error {
			l.Pos, l.Error, l.Text, l.Check = at.Pos, true, at.Text, at.Check
			x.fails = true
			return l
		}
	}
	x.work = append(x.work, s)
	return l
}

// take adds the step of a thread along an edge.
func (x *product) take(s state, e *ir.Edge) {
	i := e.From.Thread.Index
	next := state{at: slices.Clone(s.at), inside: -1, known: maps.Clone(s.known)}
	next.at[i] = e.To
	if !x.points[i][e.To] {
		next.inside = i
	}
	x.run(s, next, e, e.Cmds, nil)
}

// run adds the step from s along an edge of which these commands are left: next is where
// the others lead, cmds what remains of them.
func (x *product) run(s, next state, e *ir.Edge, left, cmds []ir.Cmd) {
	l := x.out.L
	value := func(t *logic.Term) *logic.Term {
		sub := map[*logic.Term]*logic.Term{}
		for v, k := range next.known {
			sub[v.Sym] = l.Value(k)
		}
		return l.Subst(t, sub)
	}
	for i, c := range left {
		switch c.Kind {
		case ir.Assume:
			cond := value(c.Cond)
			if cond.IsFalse() {
				return
			}
			if !cond.IsTrue() {
				cmds = append(cmds, ir.AssumeCmd(cond))
			}
		case ir.Assign:
			if c.Var == nil {
				continue
			}
			t := value(c.Expr)
			if k, ok := t.Const(); ok && x.track[c.Var] && c.Var.Type.Contains(k) { // others are for the check
				next.known[c.Var] = k
				continue
			}
			delete(next.known, c.Var)
			c.Var, c.Expr = x.vars[c.Var], t
			cmds = append(cmds, c)
		case ir.Havoc:
			if x.free && x.unread(c.Var, e, left[i+1:]) {
				delete(next.known, c.Var)
				continue
			}
			if x.free && few(c.Var.Type) {
				lo, hi := c.Var.Type.Range()
				for _, k := range []logic.Value{lo, hi} {
					one := state{at: next.at, inside: next.inside, known: maps.Clone(next.known)}
					one.known[c.Var] = k
					x.run(s, one, e, left[i+1:], slices.Clone(cmds))
				}
				return
			}
			delete(next.known, c.Var)
			c.Var = x.vars[c.Var]
			cmds = append(cmds, c)
		}
	}
	x.computes = x.computes || len(cmds) > 0
	x.step(x.loc(s), x.loc(next), e, cmds, -1)
}

// unread reports whether the value that a thread's own variable has before the last
// commands of an edge is never read.
func (x *product) unread(v *ir.Var, e *ir.Edge, last []ir.Cmd) bool {
	if v.Thread == ir.Shared {
		return false
	}
	before := map[*ir.Var]bool{}
	addLive(x.from.Symbols(), &ir.Edge{Cmds: last}, x.live[v.Thread][e.To], before)
	return !before[v]
}

// few reports whether a type has two values.
func few(t ir.Type) bool {
	lo, hi := t.Range()
	return lo.Add(logic.IntValue(1)).Cmp(hi) == 0
}

// finite returns the variables that are only assigned constants, truth values, and each
// other.
func finite(p *ir.Program) map[*ir.Var]bool {
	out, tab := map[*ir.Var]bool{}, p.Symbols()
	for _, v := range p.Vars {
		out[v] = true
	}
	for changed := true; changed; {
		changed = false
		for _, t := range p.Threads {
			t.Edges(func(e *ir.Edge) {
				for _, c := range e.Cmds {
					if c.Kind == ir.Assign && c.Var != nil && out[c.Var] && !choice(tab, out, c.Expr) {
						delete(out, c.Var)
						changed = true
					}
				}
			})
		}
	}
	return out
}

// choice reports whether an integer term chooses among constants and certain variables.
func choice(tab ir.SymTable, among map[*ir.Var]bool, t *logic.Term) bool {
	switch {
	case t.IsVar():
		return among[tab[t]]
	case t.Op() == logic.OpIte:
		return choice(tab, among, t.Args()[1]) && choice(tab, among, t.Args()[2])
	}
	_, ok := t.Const()
	return ok
}

// liveLocals returns the thread's own variables that may be read from a location on.
func liveLocals(p *ir.Program, t *ir.Thread) map[*ir.Loc]map[*ir.Var]bool {
	tab, live := p.Symbols(), map[*ir.Loc]map[*ir.Var]bool{}
	for _, l := range t.Locs {
		live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(t.Locs) - 1; i >= 0; i-- {
			l := t.Locs[i]
			before := len(live[l])
			for _, e := range l.Out {
				addLive(tab, e, live[e.To], live[l])
			}
			changed = changed || len(live[l]) > before
		}
	}
	return live
}

// addLive adds what is live before an edge.
func addLive(tab ir.SymTable, e *ir.Edge, after, before map[*ir.Var]bool) {
	killed := map[*ir.Var]bool{}
	for _, c := range e.Cmds {
		for _, t := range []*logic.Term{c.Cond, c.Expr} {
			if t == nil {
				continue
			}
			for _, s := range logic.FreeVars(t) {
				if v := tab[s]; v != nil && !killed[v] {
					before[v] = true
				}
			}
		}
		if c.Kind != ir.Assume && c.Var != nil {
			killed[c.Var] = true
		}
	}
	for v := range after {
		if !killed[v] {
			before[v] = true
		}
	}
}
