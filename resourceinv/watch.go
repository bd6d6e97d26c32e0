package resourceinv

import (
	"comus/ir"
	"comus/logic"
)

// A variable that no lock guards may still be settled by where a thread is: it is this thread's turn, or what was announced
// has been written before. Such variables may be watched: they are in the invariants of the threads that use them
// although others change them, and then there are clauses for what these do, as in package threadmodular.

// watched reports whether a variable is in the invariant of a thread where others change it.
func (s *system) watched(t *thread, v *ir.Var) bool {
	return s.watch && t.accesses[v] && s.guards[v].bare
}

// disturb adds the clauses for what the blocks of others do to the variables that a thread watches.
func (s *system) disturb(t *thread, n int) {
	unstable := map[*ir.Var]bool{}
	for _, v := range s.open[t][n] {
		unstable[v] = !s.stable(t, n, v)
	}
	for _, u := range s.threads {
		if u == t && !t.Replicated {
			continue
		}
		other := map[*logic.Term]*logic.Term{} // names of the local variables of u
		for _, v := range s.p.Vars {
			if u == t && v.Thread == t.Index {
				other[v.Sym] = s.l.Var("other:"+v.Name, logic.Int)
			}
		}
		for _, k := range u.nodes {
			for _, b := range u.out[k] {
				if b.to.Error || !touches(unstable, b.writes) || meet(t.held[n], u.held[k]) {
					continue
				}
				s.disturbed(t, n, u, b, other)
			}
		}
	}
}

// touches reports whether some variable that is written is unstable.
func touches(unstable, written map[*ir.Var]bool) bool {
	for v := range written {
		if unstable[v] {
			return true
		}
	}
	return false
}

// disturbed adds the clause for a block of u while t is at a cut-point.
func (s *system) disturbed(t *thread, n int, u *thread, b *block, other map[*logic.Term]*logic.Term) {
	after := map[*logic.Term]*logic.Term{}
	for x, v := range b.value {
		if w := s.tab[x]; w.Thread == ir.Shared {
			after[x] = s.l.Subst(v, other)
		}
	}
	own := at(s.threadInv[t][n], nil)
	theirs := at(s.threadInv[u][b.from.Index], other)
	head := at(s.threadInv[t][n], after)
	cond := s.l.And(s.fact(t, n), s.l.Subst(s.l.And(b.cond, s.fact(u, b.from.Index)), other))
	s.conclude(u, s.renamed(b, other), cond, &head, own, theirs)
}

// renamed returns a block with other names of local variables in what it says about copies of cells.
func (s *system) renamed(b *block, other map[*logic.Term]*logic.Term) *block {
	out := *b
	out.copies = nil
	for _, c := range b.copies {
		c.Index, c.Same = s.l.Subst(c.Index, other), s.l.Subst(c.Same, other)
		cells := map[*logic.Term]*logic.Term{}
		for v, first := range c.Cells {
			cells[s.l.Subst(v, other)] = first
		}
		c.Cells = cells
		out.copies = append(out.copies, c)
	}
	return &out
}
