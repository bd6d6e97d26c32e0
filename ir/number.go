package ir

import "slices"

// Renumber sorts the locations of every thread so that the strongly connected
// components of its graph are numbered one after another in topological order:
// an edge leads to a higher index or stays within its component. Locations that
// the entry does not reach come last.
func (p *Program) Renumber() {
	for _, t := range p.Threads {
		order := t.topological()
		for i, l := range order {
			l.Index = i
		}
		t.Locs = order
	}
}

// topological returns the locations in reverse order of Tarjan's algorithm
// finishing their components, each component in reverse postorder.
func (t *Thread) topological() []*Loc {
	var comps [][]*Loc
	t.sccs(func(comp []*Loc) { comps = append(comps, comp) })
	post := map[*Loc]int{}
	t.postorder(func(l *Loc) { post[l] = len(post) })
	slices.Reverse(comps)
	var order []*Loc
	reached := map[*Loc]bool{}
	for _, c := range comps {
		slices.SortFunc(c, func(a, b *Loc) int { return post[b] - post[a] })
		for _, l := range c {
			reached[l] = true
		}
		order = append(order, c...)
	}
	for _, l := range t.Locs {
		if !reached[l] {
			order = append(order, l)
		}
	}
	return order
}

// postorder visits the reachable locations depth first, successors before l.
func (t *Thread) postorder(visit func(*Loc)) {
	seen := map[*Loc]bool{t.Entry: true}
	type frame struct {
		l    *Loc
		next int
	}
	stack := []frame{{l: t.Entry}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(f.l.Out) {
			visit(f.l)
			stack = stack[:len(stack)-1]
			continue
		}
		to := f.l.Out[f.next].To
		f.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{l: to})
		}
	}
}

// sccs calls emit for each strongly connected component reachable from the
// entry, successors first (Tarjan's algorithm with an explicit stack).
func (t *Thread) sccs(emit func([]*Loc)) {
	type frame struct {
		l    *Loc
		next int
	}
	num, low := map[*Loc]int{}, map[*Loc]int{}
	onStack := map[*Loc]bool{}
	var open []*Loc
	push := func(l *Loc) frame {
		num[l], low[l] = len(num)+1, len(num)+1
		open = append(open, l)
		onStack[l] = true
		return frame{l: l}
	}
	calls := []frame{push(t.Entry)}
	for len(calls) > 0 {
		f := &calls[len(calls)-1]
		if f.next < len(f.l.Out) {
			to := f.l.Out[f.next].To
			f.next++
			if num[to] == 0 {
				calls = append(calls, push(to))
			} else if onStack[to] {
				low[f.l] = min(low[f.l], num[to])
			}
			continue
		}
		l := f.l
		calls = calls[:len(calls)-1]
		if len(calls) > 0 {
			parent := calls[len(calls)-1].l
			low[parent] = min(low[parent], low[l])
		}
		if low[l] == num[l] {
			i := slices.Index(open, l)
			comp := slices.Clone(open[i:])
			open = open[:i]
			for _, m := range comp {
				onStack[m] = false
			}
			emit(comp)
		}
	}
}

// Components returns, for each location by index, the lowest and highest index
// of its strongly connected component. The thread must be renumbered.
func (t *Thread) Components() (lo, hi []int) {
	lo, hi = make([]int, len(t.Locs)), make([]int, len(t.Locs))
	for i := range t.Locs {
		lo[i], hi[i] = i, i
	}
	t.sccs(func(comp []*Loc) {
		a, b := comp[0].Index, comp[0].Index
		for _, l := range comp {
			a, b = min(a, l.Index), max(b, l.Index)
		}
		for _, l := range comp {
			lo[l.Index], hi[l.Index] = a, b
		}
	})
	return lo, hi
}
