package locpairs

import (
	"context"
	"slices"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Alone returns the bounds of each variable at each node of a program with one thread,
// which there are no pairs of: facts for [Facts.Add]. Its blocks are as the graph has them
// now, simplified or not.
func Alone(ctx context.Context, p *ir.Program, graph *cutpoints.Graph) ([]Fact, error) {
	a := &alone{graph: graph, queued: make([]bool, len(graph.Thread.Locs)), cells: make([]*cell, len(graph.Thread.Locs)), index: map[*logic.Term]int{}}
	init := &state{l: p.L, index: a.index, vars: &a.vars, limits: &a.limits}
	for i, v := range p.Vars {
		lo, hi := v.Type.Range()
		limit := between(lo, hi)
		a.index[v.Sym] = i
		a.vars, a.limits, init.ivs = append(a.vars, v), append(a.limits, limit), append(init.ivs, limit)
		if v.Init != nil {
			init.ivs[i] = point(*v.Init)
		}
	}
	if err := a.solve(ctx, init); err != nil {
		return nil, err
	}
	var out []Fact
	for _, n := range graph.Nodes {
		if !n.Error {
			out = append(out, Fact{At: []Place{{graph.Thread.Index, n.Index}}, Holds: a.fact(p.L, a.cells[n.Index]), Goal: true})
		}
	}
	return slices.DeleteFunc(out, func(f Fact) bool { return f.Holds.IsTrue() }), nil
}

// alone is the analysis of one thread.
type alone struct {
	graph  *cutpoints.Graph
	vars   []*ir.Var
	index  map[*logic.Term]int
	limits []interval
	cells  []*cell // by location
	queued []bool
}

// solve runs the thread from its entry, always from the first location whose state has
// grown.
func (a *alone) solve(ctx context.Context, init *state) error {
	a.reach(a.graph.Thread.Entry, init)
	for again := true; again; {
		again = false
		for i, loc := range a.graph.Thread.Locs {
			if !a.queued[i] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			a.queued[i] = false
			for _, b := range a.graph.Out[loc] {
				if s := a.cells[i].clone(); !b.To.Error && s.run(b.Cmds()) {
					a.reach(b.To, s)
					again = again || b.To.Index <= i
				}
			}
		}
	}
	return nil
}

// reach joins s into the state at a location.
func (a *alone) reach(loc *ir.Loc, s *state) {
	c := a.cells[loc.Index]
	if c == nil {
		a.cells[loc.Index], a.queued[loc.Index] = &cell{state: s}, true
		return
	}
	if c.joinInto(s, c.updates > widenAfter, a.limits) {
		c.updates++
		a.queued[loc.Index] = true
	}
}

// fact returns a state as a formula; there is none where control never gets.
func (a *alone) fact(l *logic.Store, c *cell) *logic.Term {
	if c == nil {
		return l.False()
	}
	var out []*logic.Term
	for i, iv := range c.ivs {
		s := a.vars[i].Sym
		if iv.hasLo && iv.lo != a.limits[i].lo {
			out = append(out, l.Le(l.Value(iv.lo), s))
		}
		if iv.hasHi && iv.hi != a.limits[i].hi {
			out = append(out, l.Le(s, l.Value(iv.hi)))
		}
	}
	return l.And(out...)
}
