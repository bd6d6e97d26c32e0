package passes

import (
	"comus/ir"
	"comus/logic"
)

// scalars dissolves the choices between the cells of an array. An access with an
// index is a choice between the cells: x = ite(i = 1, a[1], a[0]), or a[0] =
// ite(i = 0, x, a[0]), a[1] = ite(i = 1, x, a[1]). Where an assumption of the same
// edge, or unroll or constants before, fixes the index, one cell is left, and the
// assignments of the others to themselves are removed. Otherwise, if the index is
// computed from local variables alone, the edge is split into one for each cell.
//
// It is exact: the new edges' conditions are exclusive and cover every state, and
// under its condition an edge does what the old one did.
func scalars(d *draft) {
	for _, t := range d.p.Threads {
		for _, e := range edges(t) {
			if d.simplify(e) {
				d.splitCells(e)
			}
		}
	}
}

// maxCells bounds the edges that a split makes.
const maxCells = 16

// splitCells splits an edge that chooses between shared cells by an index.
func (d *draft) splitCells(e *ir.Edge) {
	index, atoms := d.index(e)
	if index == nil || len(atoms) > maxCells {
		return
	}
	for i := range atoms {
		sub := map[*logic.Term]*logic.Term{}
		for j, a := range atoms {
			sub[a] = d.L.Bool(i == j)
		}
		d.addCase(e, atoms[i], sub)
	}
	other, sub := d.L.True(), map[*logic.Term]*logic.Term{}
	for _, a := range atoms {
		other, sub[a] = d.L.And(other, d.L.Not(a)), d.L.False()
	}
	if !d.covered(e, index, atoms) {
		d.addCase(e, other, sub)
	}
	d.remove(e)
}

// addCase adds the edge for one case.
func (d *draft) addCase(e *ir.Edge, cond *logic.Term, truth map[*logic.Term]*logic.Term) {
	cmds := []ir.Cmd{ir.AssumeCmd(cond)}
	replace := func(t *logic.Term) *logic.Term {
		if t == nil {
			return nil
		}
		return d.L.Map(t, func(u *logic.Term) *logic.Term {
			if k := truth[u]; k != nil {
				return k
			}
			return u
		})
	}
	for _, c := range e.Cmds {
		c.Cond, c.Expr = replace(c.Cond), replace(c.Expr)
		cmds = append(cmds, c)
	}
	d.simplify(d.add(e.From, e.To, e, cmds))
}

// index returns the term that an edge's choices compare with constants, and the
// comparisons. It is nil if the edge does not choose between shared variables, or
// if the term reads shared variables or what the edge writes.
func (d *draft) index(e *ir.Edge) (*logic.Term, []*logic.Term) {
	if e.Kind != ir.Plain {
		return nil, nil
	}
	var index *logic.Term
	var atoms []*logic.Term
	writes := d.tab.CmdAccess(e.Cmds).Writes
	note := func(t *logic.Term) {
		if t.Op() != logic.OpIte || !d.chooses(t) && !d.choosesFor(t, writes) {
			return
		}
		c := t.Args()[0]
		if c.Op() == logic.OpNot {
			c = c.Args()[0]
		}
		if c.Op() != logic.OpEq || c.Args()[0].Sort() != logic.Int || index != nil && c.Args()[0] != index {
			return
		}
		if _, ok := c.Args()[1].Const(); !ok {
			return
		}
		for _, v := range d.varsOf(c) {
			if v.Thread == ir.Shared || writes[v] {
				return
			}
		}
		index, atoms = c.Args()[0], append(atoms, c)
	}
	var exprs []*logic.Term
	for _, c := range e.Cmds {
		for _, t := range []*logic.Term{c.Cond, c.Expr} {
			if t != nil {
				exprs = append(exprs, t)
			}
		}
	}
	logic.Visit(note, exprs...)
	return index, unique(atoms)
}

// chooses reports whether a choice reads different shared variables.
func (d *draft) chooses(t *logic.Term) bool {
	a, b := d.sharedOf(t.Args()[1]), d.sharedOf(t.Args()[2])
	for v := range a {
		if !b[v] {
			return true
		}
	}
	return len(a) < len(b)
}

// choosesFor reports whether a choice is between a value and a shared variable
// that the edge writes, as in a[0] = ite(i = 0, x, a[0]).
func (d *draft) choosesFor(t *logic.Term, writes map[*ir.Var]bool) bool {
	for _, u := range t.Args()[1:] {
		if v := d.tab[u]; v != nil && v.Thread == ir.Shared && writes[v] {
			return true
		}
	}
	return false
}

func (d *draft) sharedOf(t *logic.Term) map[*ir.Var]bool {
	set := map[*ir.Var]bool{}
	for _, v := range d.varsOf(t) {
		if v.Thread == ir.Shared {
			set[v] = true
		}
	}
	return set
}

func unique(ts []*logic.Term) []*logic.Term {
	var out []*logic.Term
	seen := map[*logic.Term]bool{}
	for _, t := range ts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// covered reports whether an edge's assumptions, before it writes anything, leave
// no other value for the index than those it is compared with.
func (d *draft) covered(e *ir.Edge, index *logic.Term, atoms []*logic.Term) bool {
	known := d.L.True()
	for _, c := range e.Cmds {
		if c.Kind != ir.Assume {
			break
		}
		known = d.L.And(known, c.Cond)
	}
	var lo, hi *logic.Value
	for _, c := range logic.Conjuncts(known) {
		// t ≤ k and -t ≤ k are all there is: terms are normalised.
		if c.Op() != logic.OpLe {
			continue
		}
		k, ok := c.Args()[1].Const()
		switch {
		case !ok:
		case c.Args()[0] == index:
			hi = &k
		case c.Args()[0] == d.L.Neg(index):
			n := k.Neg()
			lo = &n
		}
	}
	if lo == nil || hi == nil || hi.Sub(*lo).Cmp(logic.IntValue(maxCells)) > 0 {
		return false
	}
	for k := *lo; k.Cmp(*hi) <= 0; k = k.Add(logic.IntValue(1)) {
		found := false
		for _, a := range atoms {
			found = found || a == d.L.Eq(index, d.L.Value(k))
		}
		if !found {
			return false
		}
	}
	return true
}
