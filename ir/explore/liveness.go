package explore

import (
	"comus/ir"
)

// liveness tells for each location which variables may be read before they are
// written again. A variable that is not live has a value nobody can observe,
// so one value stands for all. It is exact enough to be tiny: a shared variable
// is live everywhere once any edge reads it, a local one by the usual backward
// analysis of its thread.
type liveness struct {
	shared map[*ir.Var]bool
	local  map[*ir.Loc]map[*ir.Var]bool
}

func newLiveness(p *ir.Program) *liveness {
	l := &liveness{map[*ir.Var]bool{}, map[*ir.Loc]map[*ir.Var]bool{}}
	tab := p.Symbols()
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			for v := range tab.CmdAccess(e.Cmds).Reads {
				l.shared[v] = l.shared[v] || v.Thread == ir.Shared
			}
		})
		l.thread(tab, t)
	}
	return l
}

// thread computes the live locals at the thread's locations, to a fixpoint.
func (l *liveness) thread(tab ir.SymTable, t *ir.Thread) {
	for _, loc := range t.Locs {
		l.local[loc] = map[*ir.Var]bool{}
	}
	work := append([]*ir.Loc(nil), t.Locs...)
	for len(work) > 0 {
		loc := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range loc.In {
			grown := false
			at := l.local[e.From]
			for v := range liveBefore(tab, e.Cmds, l.local[loc]) {
				grown = grown || !at[v]
				at[v] = true
			}
			if grown {
				work = append(work, e.From)
			}
		}
	}
}

// liveBefore returns what is live before the commands, given what is after.
func liveBefore(tab ir.SymTable, cmds []ir.Cmd, after map[*ir.Var]bool) map[*ir.Var]bool {
	live := map[*ir.Var]bool{}
	for v := range after {
		live[v] = true
	}
	for i := len(cmds) - 1; i >= 0; i-- {
		if cmds[i].Kind != ir.Assume {
			delete(live, cmds[i].Var)
		}
		for v := range tab.CmdAccess(cmds[i : i+1]).Reads {
			live[v] = true
		}
	}
	return live
}

// atStart reports whether the initial value of v matters.
func (l *liveness) atStart(p *ir.Program, v *ir.Var) bool {
	if v.Thread == ir.Shared {
		return l.shared[v]
	}
	return l.local[p.Threads[v.Thread].Entry][v]
}

// after reports whether the value that command i of edge e gives its variable
// matters.
func (l *liveness) after(tab ir.SymTable, e *ir.Edge, i int) bool {
	v := e.Cmds[i].Var
	if v.Thread == ir.Shared && l.shared[v] {
		return true
	}
	return liveBefore(tab, e.Cmds[i+1:], l.local[e.To])[v]
}
