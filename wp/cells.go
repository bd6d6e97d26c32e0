package wp

import (
	"maps"

	"comus/ir"
	"comus/logic"
)

// Copy is the cells of a program ([ir.Program.Cells]) once more, at an index at which a path reads: what holds of the one cell before the
// path holds of it, too.
type Copy struct {
	Of    *ir.Var                     // the array that is read there
	Index *logic.Term                 // over the path's beginning
	Cells map[*logic.Term]*logic.Term // the variables that stand for what the cells have there at the path's beginning
	// Same is that the copy is the cells that there are, or another copy, if the index is the same, and has values of their types.
	Same *logic.Term
}

// access is one to an array: a read, or an assignment, whose term is over the cells and the index before, and else over the
// path's beginning; nil for any value.
type access struct {
	of    *ir.Var
	term  *logic.Term
	input *logic.Term // of a read
}

// note keeps an access to an array.
func (x *Exec) note(c ir.Cmd) {
	switch {
	case c.Var == nil || c.Var.Cell != ir.Cell:
	case c.Kind == ir.Assign:
		scalars := maps.Clone(x.Env)
		maps.DeleteFunc(scalars, func(s, _ *logic.Term) bool { return x.cells[s] })
		x.arrays = append(x.arrays, access{of: c.Var, term: x.L.Subst(c.Expr, scalars)})
		x.cells[c.Var.Sym] = true
	default:
		x.arrays = append(x.arrays, access{of: c.Var})
		x.cells[c.Var.Sym] = true
	}
}

// Copies gives what the path reads from cells of a program its value, and returns the copies that this needs.
func (x *Exec) Copies(p *ir.Program) []Copy {
	index, cells := p.Cells()
	var out []Copy
	value := map[*logic.Term]*logic.Term{}
	for i, a := range x.arrays {
		if a.input == nil {
			continue
		}
		at := x.L.Subst(a.term, value)
		c := Copy{Of: a.of, Index: at, Cells: map[*logic.Term]*logic.Term{}}
		now := map[*logic.Term]*logic.Term{index.Sym: at}
		same := []*logic.Term{}
		for _, v := range cells {
			first := x.L.FreshVar(v.Name, logic.Int)
			c.Cells[v.Sym], now[v.Sym] = first, first
			lo, hi := v.Type.Range()
			same = append(same, x.L.Le(x.L.Value(lo), first), x.L.Le(first, x.L.Value(hi)), x.L.Implies(x.L.Eq(at, index.Sym), x.L.Eq(first, v.Sym)))
			for _, d := range out {
				same = append(same, x.L.Implies(x.L.Eq(at, d.Index), x.L.Eq(first, d.Cells[v.Sym])))
			}
		}
		c.Same = x.L.And(same...)
		for _, b := range x.arrays[:i] {
			switch {
			case b.input != nil:
			case b.term == nil:
				now[b.of.Sym] = x.L.FreshVar(b.of.Name, logic.Int)
			default:
				now[b.of.Sym] = x.L.Subst(x.L.Subst(b.term, value), now)
			}
		}
		value[a.input] = now[a.of.Sym]
		out = append(out, c)
	}
	if len(out) > 0 {
		for i, c := range x.Cond {
			x.Cond[i] = x.L.Subst(c, value)
		}
		for s, v := range x.Env {
			x.Env[s] = x.L.Subst(v, value)
		}
	}
	return out
}
