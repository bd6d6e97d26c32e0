package replay

import (
	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// Where a pointer or an index may lead to several objects, a step of ir reads all of them and takes one of the values. Only that one is what the run reads.

// choices returns the shared variables that a step reads for an instruction which may read another one, or a constant in its place.
func (f *follower) choices(e *ir.Edge) map[*ir.Var]bool {
	x := f.info[e]
	if x.choice != nil {
		return x.choice
	}
	out := map[*ir.Var]bool{}
	x.choice = out
	for i, c := range e.Cmds {
		from, ok := f.reading(c)
		if !ok {
			continue
		}
		alone := true
		each := func(d *ir.Edge) {
			for _, other := range d.Cmds {
				if v, ok := f.reading(other); ok && other.Origin == c.Origin && v != from {
					alone = false
				}
			}
		}
		each(e)
		for _, d := range e.From.In {
			each(d)
		}
		for _, d := range e.To.Out {
			each(d)
		}
		if !alone || f.selected(c.Var, e.Cmds[i+1:], e.To) {
			out[from] = true
		}
	}
	return out
}

// reading returns the shared variable that a command only reads.
func (f *follower) reading(c ir.Cmd) (*ir.Var, bool) {
	if c.Kind != ir.Assign || c.Expr == nil {
		return nil, false
	}
	v, ok := f.tab[c.Expr]
	return v, ok && v.Thread == ir.Shared && c.Origin != 0
}

// mostLooked bounds how many steps are looked at for the use of a value.
const mostLooked = 8

// selected reports whether what was read is one of several values of which a condition takes one, as far as the next steps show.
func (f *follower) selected(tmp *ir.Var, cmds []ir.Cmd, at *ir.Loc) bool {
	seen := map[*ir.Loc]bool{}
	found := false
	var walk func(cmds []ir.Cmd, at *ir.Loc)
	walk = func(cmds []ir.Cmd, at *ir.Loc) {
		for _, c := range cmds {
			if found = found || selects(c.Cond, tmp.Sym) || selects(c.Expr, tmp.Sym); found || c.Var == tmp {
				return
			}
		}
		if seen[at] || len(seen) == mostLooked {
			return
		}
		seen[at] = true
		for _, e := range at.Out {
			walk(e.Cmds, e.To)
		}
	}
	walk(cmds, at)
	return found
}

// selects reports whether a term takes a variable or another value by a condition on something else.
func selects(t, x *logic.Term) bool {
	found := false
	if t == nil {
		return false
	}
	logic.Visit(func(t *logic.Term) {
		if t.Op() != logic.OpIte || found {
			return
		}
		within := false
		for _, v := range logic.FreeVars(t.Args()[1:]...) {
			within = within || v == x
		}
		for _, v := range logic.FreeVars(t.Args()[0]) {
			found = found || within && v != x
		}
	}, t)
	return found
}

// indexed returns the loads at an address that an index has a part in.
func indexed(p *cir.Program, numbers map[cir.Located]int) map[int]bool {
	out := map[int]bool{}
	for _, fn := range p.Funcs {
		at := map[cir.Value]bool{}
		for again := true; again; {
			again = false
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *cir.Offset:
						if !at[in.Dst] && (in.Index != nil || at[in.P]) {
							at[in.Dst], again = true, true
						}
					case *cir.Select:
						if !at[in.Dst] {
							at[in.Dst], again = true, true
						}
					case *cir.Load:
						if at[in.Addr] {
							out[numbers[in]] = true
						}
					}
				}
			}
		}
	}
	return out
}
