package check

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// deadLocals returns, for each location, the numbers of its thread's variables that nobody reads from there on before they are written. One value stands for all that they may have.
func deadLocals(p *ir.Program, tab ir.SymTable) map[*ir.Loc][]int {
	dead := map[*ir.Loc][]int{}
	for _, t := range p.Threads {
		live := map[*ir.Loc]map[*ir.Var]bool{}
		for _, l := range t.Locs {
			live[l] = map[*ir.Var]bool{}
		}
		for changed := true; changed; {
			changed = false
			for _, l := range slices.Backward(t.Locs) { // most edges lead to higher numbers, so few rounds are enough
				for _, e := range l.Out {
					for v := range liveBefore(tab, e.Cmds, live[e.To]) { // order does not matter
						if !live[l][v] {
							live[l][v], changed = true, true
						}
					}
				}
			}
		}
		for _, l := range t.Locs {
			for i, v := range p.Vars {
				if v.Thread == t.Index && !live[l][v] {
					dead[l] = append(dead[l], i)
				}
			}
		}
	}
	return dead
}

// liveBefore returns the variables that commands read, or what is behind them, before they are written.
func liveBefore(tab ir.SymTable, cmds []ir.Cmd, after map[*ir.Var]bool) map[*ir.Var]bool {
	live := maps.Clone(after)
	for i := len(cmds) - 1; i >= 0; i-- {
		if c := cmds[i]; c.Kind != ir.Assume {
			delete(live, c.Var)
		}
		for _, f := range cmds[i].Reads() {
			for _, sym := range logic.FreeVars(f) {
				live[tab[sym]] = true
			}
		}
	}
	return live
}

// readAfter reports whether the value that a thread's variable has before some commands, which lead to a location, may be read.
func readAfter(tab ir.SymTable, dead map[*ir.Loc][]int, v *ir.Var, cmds []ir.Cmd, to *ir.Loc) bool {
	after := map[*ir.Var]bool{}
	if !slices.Contains(dead[to], v.Index) {
		after[v] = true
	}
	return liveBefore(tab, cmds, after)[v]
}
