package engine

import (
	"fmt"
	"slices"

	"comus/ir"
)

// NamedOrder returns the threads that Options.Order names.
func NamedOrder(p *ir.Program, names []string) ([]int, error) {
	var named []int
	for _, name := range names {
		i := slices.IndexFunc(p.Threads, func(t *ir.Thread) bool { return t.Name == name })
		if i < 0 {
			var all []string
			for _, t := range p.Threads {
				all = append(all, t.Name)
			}
			return nil, fmt.Errorf("--order: no thread %q (the threads are %v)", name, all)
		}
		if slices.Contains(named, i) {
			return nil, fmt.Errorf("--order: thread %q is named twice", name)
		}
		named = append(named, i)
	}
	return named, nil
}

// order returns the hierarchy with main first. Threads that were named follow as
// named; then each thread comes after those that read what it writes, as far as
// that is possible: the next one is always a thread with the fewest readers among
// those still to come, and of these one that creates the fewest of them.
func (m *modular) order(main int, named []int) []int {
	order := []int{main}
	for _, t := range named {
		if t != main {
			order = append(order, t)
		}
	}
	reads, creates := m.readers()
	for len(order) < len(m.p.Threads) {
		best, fewest := -1, [2]int{}
		for t := range m.p.Threads {
			if slices.Contains(order, t) {
				continue
			}
			n := [2]int{}
			for u := range m.p.Threads {
				if u == t || slices.Contains(order, u) {
					continue
				}
				if reads[u][t] {
					n[0]++
				}
				if creates[t][u] {
					n[1]++
				}
			}
			if best < 0 || slices.Compare(n[:], fewest[:]) < 0 {
				best, fewest = t, n
			}
		}
		order = append(order, best)
	}
	return order
}

// readers tells which thread u reads a variable that thread t writes, reads[u][t],
// and which thread t creates u, creates[t][u]. The flags of creation and end do not
// count as variables: they tie main to every thread.
func (m *modular) readers() (reads, creates []map[int]bool) {
	tab := m.p.Symbols()
	flags := map[*ir.Var]bool{}
	for _, t := range m.p.Threads {
		flags[t.Created], flags[t.Ended] = true, true
	}
	accs := make([]ir.Access, len(m.p.Threads))
	creates = make([]map[int]bool, len(accs))
	for i, t := range m.p.Threads {
		accs[i] = tab.ThreadAccess(t)
		creates[i] = map[int]bool{}
		t.Edges(func(e *ir.Edge) {
			if e.Kind == ir.Create {
				creates[i][e.Thread] = true
			}
		})
	}
	reads = make([]map[int]bool, len(accs))
	for u := range accs {
		reads[u] = map[int]bool{}
		for t := range accs {
			for x := range accs[t].Writes {
				if x.Thread == ir.Shared && !flags[x] && accs[u].Reads[x] {
					reads[u][t] = true
				}
			}
		}
	}
	return reads, creates
}
