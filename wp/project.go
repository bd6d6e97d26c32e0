package wp

import (
	"slices"

	"comus/logic"
)

// Model gives values to variables.
type Model func(sym *logic.Term) logic.Value

// holds evaluates a formula in the model.
func (m Model) holds(t *logic.Term) bool { return logic.Eval(t, m).Bool() }

// Implicant returns literals, all true in the model, whose conjunction implies
// f; f must be true in the model. The literals have no ite in them: each is
// replaced by its branch, together with the literals of its condition.
func Implicant(l *logic.Store, f *logic.Term, m Model) []*logic.Term {
	im := implicant{l: l, m: m, seen: map[*logic.Term]bool{}}
	im.add(f)
	return im.lits
}

type implicant struct {
	l    *logic.Store
	m    Model
	seen map[*logic.Term]bool
	lits []*logic.Term
}

func (im *implicant) add(f *logic.Term) {
	switch f.Op() {
	case logic.OpTrue:
	case logic.OpAnd:
		for _, a := range f.Args() {
			im.add(a)
		}
	case logic.OpOr:
		im.add(im.disjunct(f.Args()))
	case logic.OpNot:
		im.negated(f, f.Args()[0])
	case logic.OpEq:
		if f.Args()[0].Sort() == logic.Bool {
			im.sameTruth(f.Args()[0], f.Args()[1], true)
			return
		}
		im.literal(f)
	default:
		im.literal(f)
	}
}

// disjunct picks a true operand: the smallest.
func (im *implicant) disjunct(args []*logic.Term) *logic.Term {
	var best *logic.Term
	size := 0
	for _, a := range args {
		if !im.m.holds(a) {
			continue
		}
		if n := logic.Size(a); best == nil || n < size {
			best, size = a, n
		}
	}
	if best == nil { // the caller broke the contract: keep the formula whole
		return im.l.False()
	}
	return best
}

func (im *implicant) negated(f, a *logic.Term) {
	if a.Op() == logic.OpEq && a.Args()[0].Sort() == logic.Bool {
		im.sameTruth(a.Args()[0], a.Args()[1], false)
		return
	}
	im.literal(f)
}

// sameTruth splits a ↔ b (or its negation) by the model.
func (im *implicant) sameTruth(a, b *logic.Term, same bool) {
	truth := im.m.holds(a)
	if truth {
		im.add(a)
	} else {
		im.add(im.l.Not(a))
	}
	if truth == same {
		im.add(b)
	} else {
		im.add(im.l.Not(b))
	}
}

// literal adds f after resolving the ite terms in it.
func (im *implicant) literal(f *logic.Term) {
	g := im.l.Map(f, func(t *logic.Term) *logic.Term {
		if t.Op() != logic.OpIte || t.Sort() != logic.Int {
			return t
		}
		c := t.Args()[0]
		if im.m.holds(c) {
			im.add(c)
			return t.Args()[1]
		}
		im.add(im.l.Not(c))
		return t.Args()[2]
	})
	if g != f {
		im.add(g)
		return
	}
	if !im.seen[f] {
		im.seen[f] = true
		im.lits = append(im.lits, f)
	}
}

// Project eliminates the variables elim from ∃elim. f: it returns a cube over
// the other variables that is true in the model and implies ∃elim. f. f must be
// true in the model.
//
// A variable that occurs with coefficient ±1 only is eliminated by an equality
// or by its greatest lower (least upper) bound in the model, which is exact on
// the integers for that choice of bound (Loos–Weispfenning); any other one is
// given its value in the model.
func Project(l *logic.Store, f *logic.Term, elim []*logic.Term, m Model) []*logic.Term {
	lits := Implicant(l, f, m)
	for _, x := range elim {
		lits = eliminate(l, lits, x, m)
	}
	return lits
}

// eliminate removes x from the cube.
func eliminate(l *logic.Store, lits []*logic.Term, x *logic.Term, m Model) []*logic.Term {
	var with, without []*logic.Term
	for _, lit := range lits {
		if slices.Contains(logic.FreeVars(lit), x) {
			with = append(with, lit)
		} else {
			without = append(without, lit)
		}
	}
	if len(with) == 0 {
		return lits
	}
	repl := witness(l, with, x, m)
	if repl == nil { // bounded on one side at most: the bounds can be met
		return without
	}
	sub := map[*logic.Term]*logic.Term{x: repl}
	out := without
	for _, lit := range with {
		g := l.Subst(lit, sub)
		if !g.IsTrue() && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	// Substitution may have made a literal that is a conjunction or has an
	// ite; take it apart again.
	return Implicant(l, l.And(out...), m)
}

// witness returns a term that x can be replaced with, or nil if the literals
// can be dropped because x can always be chosen to satisfy them.
func witness(l *logic.Store, lits []*logic.Term, x *logic.Term, m Model) *logic.Term {
	value := l.Value(m(x))
	var lower, upper []*logic.Term
	for _, lit := range lits {
		neg := lit.Op() == logic.OpNot
		if neg {
			lit = lit.Args()[0]
		}
		if lit.Op() != logic.OpEq && lit.Op() != logic.OpLe {
			return value
		}
		bound, coef := solve(l, lit, x)
		if bound == nil {
			return value
		}
		switch {
		case lit.Op() == logic.OpEq && !neg:
			return bound
		case lit.Op() == logic.OpEq: // x ≠ bound: the side the model is on
			if m(x).Cmp(logic.Eval(bound, m)) > 0 {
				lower = append(lower, l.Add(bound, l.Int(1)))
			} else {
				upper = append(upper, l.Sub(bound, l.Int(1)))
			}
		case coef > 0:
			upper = append(upper, bound)
		default:
			lower = append(lower, bound)
		}
	}
	switch {
	case len(lower) == 0 || len(upper) == 0:
		return nil
	case len(lower) <= len(upper):
		return extreme(lower, m, 1)
	}
	return extreme(upper, m, -1)
}

// extreme returns the greatest (sign 1) or least (sign -1) of the terms.
func extreme(ts []*logic.Term, m Model, sign int) *logic.Term {
	best := ts[0]
	for _, t := range ts[1:] {
		if logic.Eval(t, m).Cmp(logic.Eval(best, m))*sign > 0 {
			best = t
		}
	}
	return best
}

// solve brings the literal Σ ≤ k or Σ = k into the form x ≤ bound (coefficient
// 1), x ≥ bound (-1) or x = bound. It returns nil if x has another coefficient
// or occurs inside a term that is not linear.
func solve(l *logic.Store, lit, x *logic.Term) (bound *logic.Term, coef int) {
	lhs, k := lit.Args()[0], lit.Args()[1]
	rest := l.Subst(lhs, map[*logic.Term]*logic.Term{x: l.Int(0)})
	part := l.Sub(lhs, rest)
	switch part {
	case x:
		return l.Sub(k, rest), 1
	case l.Neg(x):
		return l.Sub(rest, k), -1
	}
	return nil, 0
}
