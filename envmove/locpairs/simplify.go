package locpairs

import (
	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Simplify rewrites the blocks' commands with what is known of the variables
// where they run: conditions that always hold are dropped (most checks that
// nothing overflowed are), an ite whose condition is decided becomes its branch, a
// remainder of a term that spans few multiples of the divisor becomes linear. In
// every reachable state the new commands do what the old ones do; in others they
// may not.
func (f *Facts) Simplify() {
	for i, g := range f.graphs {
		for _, n := range g.Nodes {
			s := f.hull(i, n.Index)
			if s == nil {
				continue
			}
			for _, b := range g.Out[n] {
				f.simplifyBlock(s.clone(), b)
			}
		}
	}
}

// hull returns what is known while thread i is at location a, wherever the others
// are; nil if nothing is.
func (f *Facts) hull(i, a int) *state {
	var all *state
	for j := range f.p.Threads {
		if j == i {
			continue
		}
		if p, _ := f.between(i, a, j, 0); p == nil {
			continue
		}
		var sum *state
		for _, b := range f.nodes(j) {
			p, at := f.between(i, a, j, b)
			c := p.states[at]
			switch {
			case c == nil:
			case sum == nil:
				sum = c.clone()
			default:
				sum.joinInto(c.state, false, nil)
			}
		}
		if sum == nil || all != nil && !all.meet(sum) {
			return nil // never reached: leave its blocks alone
		}
		if all == nil {
			all = sum
		}
	}
	return all
}

func (f *Facts) simplifyBlock(s *state, b *cutpoints.Block) {
	cmds := []ir.Cmd{}
	for _, c := range b.Cmds() {
		switch c.Kind {
		case ir.Assume:
			c.Cond = s.simplifyCond(c.Cond)
			if !s.refine(c.Cond) {
				return // never taken
			}
			if c.Cond.IsTrue() {
				continue
			}
		default:
			if c.Kind == ir.Assign {
				c.Expr = s.simplify(c.Expr)
			}
			if !s.run([]ir.Cmd{c}) {
				return
			}
		}
		cmds = append(cmds, c)
	}
	b.Simplify(cmds)
}

// simplifyCond drops the conjuncts that hold anyway.
func (s *state) simplifyCond(cond *logic.Term) *logic.Term {
	var keep []*logic.Term
	for _, c := range logic.Conjuncts(s.simplify(cond)) {
		if s.possible(s.l.Not(c)) {
			keep = append(keep, c)
		}
	}
	return s.l.And(keep...)
}

// possible reports whether f may hold.
func (s *state) possible(f *logic.Term) bool { return s.clone().refine(f) }

// maxQuotients is the number of multiples of the divisor up to which a remainder
// is spelled out.
const maxQuotients = 4

func (s *state) simplify(t *logic.Term) *logic.Term {
	return s.l.Map(t, func(t *logic.Term) *logic.Term {
		switch t.Op() {
		case logic.OpIte:
			c := t.Args()[0]
			if !s.possible(c) {
				return t.Args()[2]
			}
			if !s.possible(s.l.Not(c)) {
				return t.Args()[1]
			}
		case logic.OpMod, logic.OpDiv:
			return s.simplifyDiv(t)
		}
		return t
	})
}

// simplifyDiv spells out a div m and a mod m by cases over the quotient.
func (s *state) simplifyDiv(t *logic.Term) *logic.Term {
	a, m := t.Args()[0], t.Args()[1]
	d, ok := m.Const()
	iv := s.eval(a)
	if !ok || d.Sign() <= 0 || !iv.hasLo || !iv.hasHi {
		return t
	}
	first, _ := iv.lo.DivMod(d)
	last, _ := iv.hi.DivMod(d)
	n, ok := last.Sub(first).Int64()
	if !ok || n >= maxQuotients {
		return t
	}
	value := func(q logic.Value) *logic.Term {
		if t.Op() == logic.OpDiv {
			return s.l.Value(q)
		}
		return s.l.Sub(a, s.l.Value(q.Mul(d)))
	}
	r := value(last)
	for q := last; q.Cmp(first) > 0; {
		q = q.Sub(logic.IntValue(1))
		next := s.l.Value(q.Add(logic.IntValue(1)).Mul(d))
		r = s.l.Ite(s.l.Lt(a, next), value(q), r)
	}
	return r
}
