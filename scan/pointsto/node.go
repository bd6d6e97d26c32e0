package pointsto

import (
	"golang.org/x/tools/container/intsets"

	"comus/cir"
)

// node has a set of locations: a register, a cell of memory, the result of a function. Nodes that are found to
// have the same set for ever become one: rep leads to the one that stands for them.
type node struct {
	id    int
	rep   *node // nil: itself
	set   intsets.Sparse
	fresh intsets.Sparse // part of set, not yet propagated
	to    numbers        // of the nodes whose sets include this one
	more  *rules         // nil: none
	queue bool           // waits to propagate
	order int            // in which nodes propagate best
}

// rules are what is done with each location of a node beside copying it.
type rules struct {
	moves  []edge
	loads  []*node // these get what the location's cell holds
	stores []*node // these flow into it
	others []*rule
}

// edge propagates locations, moved by a number of bytes.
type edge struct {
	to    *node
	shift int64 // Any: to anywhere in the object
	step  int64 // and any multiple of this; 0: none
	count int64 // which is within the array of so many steps that is shift bytes further on; 0: nobody says that
	bytes bool  // of bytes that are copied, not of a pointer
	// of is the struct or union that is said to stand at bytes from there, and along whose members it goes; nil: none.
	of *cir.Shape
	at int64
}

// rule is done once for each location.
type rule struct {
	f    func(Location)
	done intsets.Sparse
}

func (a *analysis) newNode() *node {
	n := &node{id: len(a.nodes), order: len(a.nodes)}
	a.nodes = append(a.nodes, n)
	return n
}

// find returns the node that stands for n.
func find(n *node) *node {
	for n.rep != nil {
		if n.rep.rep != nil {
			n.rep = n.rep.rep
		}
		n = n.rep
	}
	return n
}

func (a *analysis) enqueue(n *node) {
	if !n.queue {
		n.queue = true
		a.next = append(a.next, n)
	}
}

// add puts a location into a node's set.
func (a *analysis) add(n *node, l Location) {
	if n == nil {
		return
	}
	n = find(n)
	if id := a.number(l); n.set.Insert(id) {
		n.fresh.Insert(id)
		a.enqueue(n)
	}
}

// addAll puts locations into a node's set.
func (a *analysis) addAll(n *node, ids *intsets.Sparse) {
	if ids.IsEmpty() {
		return
	}
	a.diff.Difference(ids, &n.set)
	if a.diff.IsEmpty() {
		return
	}
	n.set.UnionWith(&a.diff)
	n.fresh.UnionWith(&a.diff)
	a.enqueue(n)
}

// number returns the number of a location.
func (a *analysis) number(l Location) int {
	off := a.canonicalOffset(l.Obj, l.Off)
	if id, ok := l.Obj.locs[off]; ok {
		return id
	}
	if l.Obj.locs == nil {
		l.Obj.locs = map[int64]int{}
	}
	id := len(a.locs)
	l.Obj.locs[off] = id
	a.locs = append(a.locs, Location{l.Obj, off})
	return id
}

// flow propagates everything that is and comes in from's set to another node.
func (a *analysis) flow(from, to *node) {
	if from == nil || to == nil {
		return
	}
	a.traces(from, to)
	from, to = find(from), find(to)
	if from != to && from.to.insert(to.id) {
		a.edges++
		a.addAll(to, &from.set)
	}
}

// move is flow, with a change of the offsets.
func (a *analysis) move(from, to *node, shift, step int64) {
	a.along(from, edge{to: to, shift: shift, step: step})
}

// traces notes an edge as it was before nodes became one, for those who ask why a set is what it is.
func (a *analysis) traces(from, to *node) {
	if !a.traced {
		return
	}
	if a.trace == nil {
		a.trace = map[int][]int{}
	}
	a.trace[from.id] = append(a.trace[from.id], to.id)
}

// along propagates locations along an edge.
func (a *analysis) along(from *node, e edge) {
	if from == nil || e.to == nil {
		return
	}
	if e.shift == 0 && e.step == 0 {
		a.flow(from, e.to)
		return
	}
	a.traces(from, e.to)
	from = find(from)
	r := from.rules()
	r.moves = append(r.moves, e)
	for _, id := range from.set.AppendTo(nil) {
		a.propagateAlong(a.locs[id], e)
	}
}

func (n *node) rules() *rules {
	if n.more == nil {
		n.more = &rules{}
	}
	return n.more
}

// each calls f once for each location that is or comes in a node's set.
func (a *analysis) each(n *node, f func(Location)) {
	if n == nil {
		return
	}
	n = find(n)
	r := &rule{f: f}
	m := n.rules()
	m.others = append(m.others, r)
	for _, id := range n.set.AppendTo(nil) {
		a.do(r, id)
	}
}

func (a *analysis) do(r *rule, id int) {
	if r.done.Insert(id) {
		r.f(a.locs[id])
	}
}

// unite makes one node of two.
func (a *analysis) unite(x, y *node) *node {
	x, y = find(x), find(y)
	if x == y {
		return x
	}
	if x.set.IsEmpty() && x.more == nil {
		x, y = y, x
	}
	// Whatever one of them has not propagated is fresh.
	var both intsets.Sparse
	both.SymmetricDifference(&x.set, &y.set)
	x.fresh.UnionWith(&y.fresh)
	x.fresh.UnionWith(&both)
	x.set.UnionWith(&y.set)
	for _, id := range y.to.list {
		x.to.insert(id)
	}
	if y.more != nil {
		m := x.rules()
		m.moves = unique(append(m.moves, y.more.moves...))
		m.loads = unique(append(m.loads, y.more.loads...))
		m.stores = unique(append(m.stores, y.more.stores...))
		m.others = append(m.others, y.more.others...)
	}
	y.rep, y.more = x, nil
	y.set, y.fresh, y.to = intsets.Sparse{}, intsets.Sparse{}, numbers{}
	if !x.fresh.IsEmpty() {
		a.enqueue(x)
	}
	return x
}

// unique drops what is there twice.
func unique[T comparable](list []T) []T {
	if len(list) < 2 {
		return list
	}
	seen := make(map[T]bool, len(list))
	out := make([]T, 0, len(list))
	for _, x := range list {
		if !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	return out
}
