package ir

import (
	"fmt"

	"comus/logic"
)

// Counted returns a copy of the program that counts, and the counters it uses:
// shared variables without bounds, 0 at first. For each replicated thread that is
// created, one has the number of times that a Create edge of it was passed; and each
// of its edges that writes a shared variable and lies on no cycle has one with the
// number of times that it was passed, and assumes before that this number is less
// than the former.
//
// The assumption holds in every execution in which an instance takes its first step
// after the Create edge that stands for it: an instance passes an edge that lies on
// no cycle once at most; those that have passed it and the one that is about to are
// different instances, and each was created by a Create edge of its own. So the
// executions of the source are all there; what the counters exclude are executions
// with more instances than were created.
func (p *Program) Counted() (*Program, map[*Var]bool) {
	c := &copier{from: p, to: &Program{L: p.L, File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded}}
	for _, v := range p.Vars {
		w := *v
		c.to.Vars = append(c.to.Vars, &w)
		c.vars = append(c.vars, &w)
	}
	for _, t := range p.Threads {
		c.thread(t, t.Index, c.vars)
	}
	counters := map[*Var]bool{}
	counter := func(name string) *Var {
		for c.taken(name) {
			name += "'"
		}
		v := c.to.NewVar(name, Type{Bits: 64, Signed: true}, Shared)
		v.Source, v.Init = "", &logic.Value{}
		counters[v] = true
		return v
	}
	for _, t := range c.to.Replicated() {
		created := counter(fmt.Sprintf("instances%d", t.Index))
		for _, u := range c.to.Threads {
			u.Edges(func(e *Edge) {
				if e.Kind == Create && e.Thread == t.Index {
					e.Cmds = append(e.Cmds, p.increment(created))
				}
			})
		}
		scc := t.component()
		n := 0
		t.Edges(func(e *Edge) {
			if scc[e.From.Index] == scc[e.To.Index] || e.Kind == Lock || e.Kind == Unlock || !writesShared(e) {
				return
			}
			n++
			passed := counter(fmt.Sprintf("passed%d.%d", t.Index, n))
			e.Cmds = append([]Cmd{AssumeCmd(p.L.Lt(passed.Sym, created.Sym)), p.increment(passed)}, e.Cmds...)
		})
	}
	return c.to, counters
}

func (c *copier) taken(name string) bool {
	for _, v := range c.to.Vars {
		if v.Name == name {
			return true
		}
	}
	return false
}

func (p *Program) increment(v *Var) Cmd { return AssignCmd(v, p.L.Add(v.Sym, p.L.Int(1))) }

func writesShared(e *Edge) bool {
	for _, c := range e.Cmds {
		if c.Kind != Assume && c.Var.Thread == Shared {
			return true
		}
	}
	return false
}

// component returns a number for each location, the same for locations on a common
// cycle.
func (t *Thread) component() []int {
	of := make([]int, len(t.Locs))
	n := 0
	t.sccs(func(locs []*Loc) {
		n++
		for _, l := range locs {
			of[l.Index] = n
		}
	})
	return of
}
