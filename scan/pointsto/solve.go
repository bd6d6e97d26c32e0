package pointsto

import (
	"cmp"
	"slices"
)

// solve propagates until nothing changes. Nodes wait in two lists: those of the one that is worked on are
// ordered along the edges; what they wake waits in the other.
func (a *analysis) solve() error {
	for steps := 0; len(a.next) > 0; {
		if a.edges > a.ordered+a.ordered/8+1000 {
			if err := a.ctx.Err(); err != nil {
				return err
			}
			a.collapse()
		}
		work := a.next
		a.next = nil
		slices.SortFunc(work, func(x, y *node) int { return cmp.Compare(find(x).order, find(y).order) })
		for _, n := range work {
			n.queue = false
			if n = find(n); !n.fresh.IsEmpty() {
				a.propagate(n)
			}
			if steps++; steps%256 == 0 {
				if err := a.ctx.Err(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// propagate propagates what is fresh in a node.
func (a *analysis) propagate(n *node) {
	a.now.Copy(&n.fresh)
	n.fresh.Clear()
	united := false
	for _, id := range n.to.list {
		united = united || a.nodes[id].rep != nil
	}
	if united {
		n.to.rename(func(id int) int { return find(a.nodes[id]).id }, n.id)
	}
	n.to.order()
	for _, id := range n.to.list {
		a.addAll(a.nodes[id], &a.now)
	}
	r := n.more
	if r == nil {
		return
	}
	fresh := a.now.AppendTo(nil)
	moves, loads, stores, others := r.moves, r.loads, r.stores, r.others
	for _, id := range fresh {
		l := a.locs[id]
		for _, e := range moves {
			a.propagateAlong(l, e)
		}
		if len(loads) > 0 && a.holdsPointer(l) {
			c := a.cell(l.Obj, l.Off)
			for _, to := range loads {
				a.flow(c, to)
			}
		}
		if len(stores) > 0 && a.holdsPointer(l) {
			c := a.cell(l.Obj, l.Off)
			for _, from := range stores {
				a.flow(from, c)
			}
		}
		for _, r := range others {
			a.do(r, id)
		}
	}
}

// collapse makes one node of each cycle of edges, and orders the nodes along the edges (Tarjan 1972).
func (a *analysis) collapse() {
	const unseen = 0
	index := make([]int, len(a.nodes)) // 0: not seen
	low := make([]int, len(a.nodes))
	var path, stack []*node
	succs := make([][]int, 0, 64) // of the nodes on the path
	last, place := 0, len(a.nodes)
	var groups [][]*node
	enter := func(n *node) {
		last++
		index[n.id], low[n.id] = last, last
		path, stack = append(path, n), append(stack, n)
		n.to.order()
		succs = append(succs, n.to.list)
	}
	const done = int(^uint(0) >> 1)
	for _, root := range a.nodes {
		if root.rep != nil || index[root.id] != unseen || len(root.to.list) == 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			n := path[len(path)-1]
			if s := succs[len(succs)-1]; len(s) > 0 {
				succs[len(succs)-1] = s[1:]
				m := find(a.nodes[s[0]])
				if index[m.id] == unseen {
					enter(m)
				} else if index[m.id] != done {
					low[n.id] = min(low[n.id], index[m.id])
				}
				continue
			}
			path, succs = path[:len(path)-1], succs[:len(succs)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up.id] = min(low[up.id], low[n.id])
			}
			if low[n.id] != index[n.id] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != n {
				at--
			}
			group := stack[at:]
			for _, m := range group {
				index[m.id] = done
				m.order = place
			}
			place--
			if len(group) > 1 {
				groups = append(groups, slices.Clone(group))
			}
			stack = stack[:at]
		}
	}
	for _, g := range groups {
		first := g[0]
		for _, m := range g[1:] {
			first = a.unite(first, m)
		}
	}
	a.ordered = a.edges
}
