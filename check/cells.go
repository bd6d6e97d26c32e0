package check

import (
	"maps"

	"comus/ir"
	"comus/logic"
)

// # Programs with cells, and why their proofs are proofs
//
// A program with cells ([ir.Program.Cells]) shows one cell of each array, whose index k may be any number. The claim of a
// proof of size 1 is then: for every state of an execution in which arrays are arrays, for every number k, and every instance at
// a node n, Inv(t, n) holds of the shared variables, the instance's own, k, and the cells a[k]. It holds initially, for every k.
// A piece of a block changes cells by assignments, which say what becomes of a[k] for each k, and reads cells a[i]. Before the piece the claim
// holds for k and for i, too: so Inv(t, n) may be assumed a second time with i for k, and a new variable for each cell. If
// i = k these are the cells that there are already; and what is read is what the assignments before, with i for k, have made of
// that copy. The same goes for the invariants of the other instance. All is proved for a k that is arbitrary.
//
// An edge is only a right mover before edges of other threads that are not about an array that one of the two writes, unless these never follow
// it: exchanging the two is not asked for single cells.

// access is one to an array, on a path of commands: a read of a cell, or an assignment to all cells at once.
type access struct {
	of *ir.Var
	// term is the index of a read; otherwise what is assigned, over the cells before and the index, and else over the values at the path's
	// beginning; nil for any values.
	term *logic.Term
	read *logic.Term // the input that stands for what is read; nil: it is an assignment
}

// instance is the program's cells once more, at another index.
type instance struct {
	inside *logic.Term                 // the index is one
	as     map[*logic.Term]*logic.Term // what stands for the index and the cells
}

// scalars returns values without those of cells.
func (pr *program) scalars(env map[*logic.Term]*logic.Term) map[*logic.Term]*logic.Term {
	out := maps.Clone(env)
	maps.DeleteFunc(out, func(s, _ *logic.Term) bool { return pr.varOf[s].Cell == ir.Cell })
	return out
}

// instantiate gives what is read from cells its value in an effect, and returns the copies of the cells that this needs.
func (pr *program) instantiate(x *effect) []instance {
	var copies []instance
	l := pr.l
	index, cells := pr.Cells()
	conds := []*logic.Term{}
	value := map[*logic.Term]*logic.Term{} // of the inputs that are read from cells
	for i, a := range x.arrays {
		if a.read == nil {
			continue
		}
		at := l.Subst(a.term, value)
		c := instance{pr.TermInRange(at, index.Type), map[*logic.Term]*logic.Term{index.Sym: at}}
		now := map[*logic.Term]*logic.Term{index.Sym: at}
		for _, v := range cells {
			first := l.FreshVar("cell", logic.Int)
			c.as[v.Sym], now[v.Sym] = first, first
			conds = append(conds, pr.TermInRange(first, v.Type), l.Implies(l.Eq(at, index.Sym), l.Eq(first, v.Sym)))
			for _, d := range copies {
				conds = append(conds, l.Implies(l.Eq(at, d.as[index.Sym]), l.Eq(first, d.as[v.Sym])))
			}
		}
		for _, b := range x.arrays[:i] {
			switch {
			case b.read != nil:
			case b.term == nil:
				now[b.of.Sym] = l.FreshVar("cell", logic.Int)
			default:
				now[b.of.Sym] = l.Subst(l.Subst(b.term, value), now)
			}
		}
		value[a.read] = now[a.of.Sym]
		copies = append(copies, c)
	}
	if len(copies) > 0 {
		x.cond = l.And(append(conds, l.Subst(x.cond, value))...)
		for s, v := range x.env {
			x.env[s] = l.Subst(v, value)
		}
	}
	return copies
}

// everywhere returns a formula that holds for every index of the cells before y's piece of a block, together with its instances
// there.
func (k *parametric) everywhere(f *logic.Term, y runner, b *block) *logic.Term {
	out := []*logic.Term{f}
	for _, c := range b.copies {
		as := map[*logic.Term]*logic.Term{}
		for s, v := range c.as {
			as[k.as(y, s)] = k.as(y, v)
		}
		for s := range c.as { // the cells of arrays that another instance has alone are others there, too
			for role := range k.rename {
				if name := k.l.Subst(s, k.rename[role]); as[name] == nil {
					as[name] = k.l.FreshVar("cell", logic.Int)
				}
			}
		}
		out = append(out, k.l.Implies(k.as(y, c.inside), k.l.Subst(f, as)))
	}
	return k.l.And(out...)
}
