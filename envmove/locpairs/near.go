package locpairs

import (
	"comus/cutpoints"
	"comus/ir"
)

// The analysis is dense where that is cheap: every pair of threads, all shared
// variables in each, and each step considers where every third thread is. Otherwise
// it is sparse: only pairs of threads that communicate, that is, of which one
// accesses a shared variable that the other writes (created and ended count, so
// that a thread has a pair with the one that creates it); the variables of a pair
// are those that one of the two accesses; a third thread's place is considered
// where it writes what the step reads.

// communicate reports whether one of two threads accesses a shared variable that
// the other one writes, not counting those that skip has.
func communicate(a, b ir.Access, skip map[*ir.Var]bool) bool {
	for _, x := range [][2]ir.Access{{a, b}, {b, a}} {
		for v := range x[0].Writes {
			if v.Thread == ir.Shared && !skip[v] && (x[1].Reads[v] || x[1].Writes[v]) {
				return true
			}
		}
	}
	return false
}

// denseCost estimates the cases of stepBeside in one visit of every state of the
// dense analysis.
func (a *analysis) denseCost() int {
	total, cost := 0, 0
	for _, g := range a.graphs {
		total += len(g.Nodes)
	}
	for i, g := range a.graphs {
		for _, h := range a.graphs[i+1:] {
			cost += len(g.Nodes) * len(h.Nodes) * (total - len(g.Nodes) - len(h.Nodes))
		}
	}
	return cost
}

// wanted reports whether there are states of threads i and j.
func (a *analysis) wanted(i, j int, near []bool) bool {
	return a.dense || (near == nil || near[i] && near[j]) && communicate(a.accs[i], a.accs[j], nil)
}

// tracks reports whether the states of threads i and j have v.
func (a *analysis) tracks(i, j int, v *ir.Var) bool {
	if v.Thread != ir.Shared {
		return v.Thread == i || v.Thread == j
	}
	return a.dense || a.accs[i].Reads[v] || a.accs[i].Writes[v] || a.accs[j].Reads[v] || a.accs[j].Writes[v]
}

// Near returns the threads at most radius steps away from a thread, where a step
// leads to a thread that communicates with the one before by shared variables (who
// creates and joins whom does not count), and the threads that create those, and so
// on.
func Near(p *ir.Program, from, radius int) []bool {
	tab := p.Symbols()
	flags := map[*ir.Var]bool{}
	var accs []ir.Access
	for _, t := range p.Threads {
		flags[t.Created], flags[t.Ended] = true, true
		accs = append(accs, tab.ThreadAccess(t))
	}
	near := make([]bool, len(accs))
	near[from] = true
	for range radius {
		last := append([]bool(nil), near...)
		for i := range accs {
			for j := range accs {
				near[j] = near[j] || last[i] && communicate(accs[i], accs[j], flags)
			}
		}
	}
	addCreators(p, near)
	return near
}

// addCreators adds the threads that create one of near.
func addCreators(p *ir.Program, near []bool) {
	for again := true; again; {
		again = false
		for i, t := range p.Threads {
			t.Edges(func(e *ir.Edge) {
				if !near[i] && e.Kind == ir.Create && near[e.Thread] {
					near[i], again = true, true
				}
			})
		}
	}
}

// Pairs counts the pairs of near (nil: all) that communicate.
func Pairs(p *ir.Program, near []bool) int {
	tab := p.Symbols()
	var accs []ir.Access
	for _, t := range p.Threads {
		accs = append(accs, tab.ThreadAccess(t))
	}
	n := 0
	for i := range accs {
		for j := range i {
			if (near == nil || near[i] && near[j]) && communicate(accs[i], accs[j], nil) {
				n++
			}
		}
	}
	return n
}

// Knows reports whether there are facts about a thread.
func (f *Facts) Knows(i int) bool {
	for j := range f.p.Threads {
		if j != i {
			if p, _ := f.between(i, 0, j, 0); p != nil {
				return true
			}
		}
	}
	return false
}

// Reset undoes what Simplify did to the blocks.
func Reset(graphs []*cutpoints.Graph) {
	for _, g := range graphs {
		g.Blocks(func(b *cutpoints.Block) { b.Simplify(nil) })
	}
}
