package resourceinv

import (
	"slices"

	"comus/ir"
	"comus/logic"
)

// What is known of a cell is often known where its index is within bounds only: below a counter, how far an array has been filled
// say, or below the array's length.

// within returns conditions on the index of cells, for a relation that is about cells.
func (g *guesses) within(r *relation) []*logic.Term {
	if g.s.index == nil || !slices.Contains(r.params, g.s.index.Sym) {
		return nil
	}
	l, index := g.s.l, g.s.index.Sym
	var out []*logic.Term
	add := func(end *logic.Term) { out = append(out, l.And(l.Le(l.Int(0), index), l.Lt(index, end))) }
	for _, p := range r.params {
		if v := g.s.tab[p]; v.Cell == ir.NoCell && v.Type != ir.Flag {
			add(p)
			add(l.Add(p, l.Int(1))) // the element at the counter has been written, and the counter not yet
		}
	}
	for _, c := range g.lengths() {
		add(l.Value(c))
	}
	return out
}

// maxLengths bounds the lengths of arrays that are tried.
const maxLengths = 4

// lengths returns what may be lengths of arrays: what indexes of cells are below.
func (g *guesses) lengths() []logic.Value {
	var out []logic.Value
	g.s.eachBlock(func(_ *thread, b *block) {
		at := map[*logic.Term]bool{}
		for _, c := range b.copies {
			at[c.Index] = true
		}
		logic.Visit(func(f *logic.Term) {
			if f.Op() != logic.OpLe || len(out) == maxLengths {
				return
			}
			c, ok := f.Args()[1].Const()
			if n := c.Add(logic.IntValue(1)); ok && (at[f.Args()[0]] || b.writesCell()) && c.Sign() > 0 && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}, b.cond)
	})
	return out
}

// writesCell reports whether a block writes a cell.
func (b *block) writesCell() bool {
	for v := range b.writes {
		if v.Cell == ir.Cell {
			return true
		}
	}
	return false
}

// ofCells returns the conditions of patterns on the cells of a relation, where their index is within bounds.
func (g *guesses) ofCells(r *relation, patterns []*logic.Term) []*logic.Term {
	var out []*logic.Term
	for _, bounds := range g.within(r) {
		for _, p := range r.params {
			if g.s.tab[p].Cell != ir.Cell {
				continue
			}
			for _, f := range patterns {
				out = append(out, g.s.l.Implies(bounds, g.s.l.Subst(f, map[*logic.Term]*logic.Term{g.hole: p})))
			}
		}
	}
	return out
}

// asserted calls add with what assertions say of single variables.
func (g *guesses) asserted(add func(*logic.Term)) {
	g.s.eachBlock(func(_ *thread, b *block) {
		if !b.to.Error {
			return
		}
		violated := map[*logic.Term][]*logic.Term{}
		for _, f := range logic.Conjuncts(b.cond) {
			if vars := logic.FreeVars(f); len(vars) == 1 && !aboutWidth(f) {
				violated[vars[0]] = append(violated[vars[0]], f)
			}
		}
		for _, x := range logic.FreeVars(b.cond) {
			if len(violated[x]) > 1 {
				add(g.s.l.Not(g.s.l.And(violated[x]...)))
			}
		}
	})
}
