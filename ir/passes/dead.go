package passes

import (
	"slices"

	"comus/ir"
)

// dead removes assignments and havocs to variables whose value does not matter
// afterwards, and variables that no edge mentions.
//
// It is exact: what can be executed is the same but for values that no assumption
// depends on.
func dead(d *draft) {
	l := newLiveness(d, nil)
	for _, t := range d.p.Threads {
		t.Edges(l.dropDead)
	}
	d.dropVars()
}

// dropVars removes the variables that no edge mentions.
func (d *draft) dropVars() {
	used := map[*ir.Var]bool{}
	for _, t := range d.p.Threads {
		t.Edges(func(e *ir.Edge) {
			a := d.tab.CmdAccess(e.Cmds)
			for v := range a.Reads {
				used[v] = true
			}
			for v := range a.Writes {
				used[v] = true
			}
		})
	}
	for _, t := range d.p.Threads {
		if !used[t.Created] {
			t.Created = nil
		}
		if !used[t.Ended] {
			t.Ended = nil
		}
	}
	d.p.Vars = slices.DeleteFunc(d.p.Vars, func(v *ir.Var) bool { return !used[v] })
	for i, v := range d.p.Vars {
		v.Index = i
	}
	d.tab = d.p.Symbols()
}
