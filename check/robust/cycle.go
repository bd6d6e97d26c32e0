package robust

import (
	"slices"
)

// edge reports whether an access may come before another one of the same location by what the two read and write, and not happen before it.
func (a *analysis) edge(x, y *access) bool {
	return !y.reads || y.stale || y.writes && !x.writes
}

// rivals reports whether other threads may write the location of an access meanwhile.
func rivals(x *access) bool {
	return slices.ContainsFunc(x.others, func(w *access) bool { return w.writes })
}

// follows reports whether an access follows another one by reading only: what is between the two happens before it, or is read.
func follows(x, y *access) bool { return !y.writes && !rivals(x) }

// chained reports whether what comes after an access at its location reads it, be it by way of updates that each read the one before, or happens after it.
func (a *analysis) chained(x *access) bool { return a.model == C11 && x.writes && x.updated }

// synchronises reports whether an edge by which an access reads synchronises a thread with the other one, as release and acquire fences are around.
func (a *analysis) synchronises(x *access, released bool, y *access, acquired bool) bool {
	if !follows(x, y) || !(released || x.release) || !(acquired || y.acquire) || !a.single(x) {
		return false
	}
	return !slices.ContainsFunc(y.others, func(w *access) bool { return w.writes && w.thread != x.thread })
}

// leg says what keeps the ends of a path in order for all who see them.
type leg uint8

const (
	loosely leg = iota // nothing: the model lets others see them in the other order
	firmly             // something on the way, or the model
	byEnds             // C11: both ends are seq_cst
)

// legOf returns what keeps a path in order.
func (a *analysis) legOf(p path) leg {
	x, y := p.from, p.to
	switch {
	case p.passed&full != 0:
		return firmly
	case a.model == C11 && (x.strict && y.strict || x.seqCst && y.seqCst && p.passed&crossed == 0):
		return byEnds
	case a.model == C11:
		return loosely
	case p.passed&crossed != 0 || x.reads || x.seqCst || y.reads && y.writes:
		return firmly
	case y.writes && (a.model == TSO || y.release || p.passed&released != 0):
		return firmly
	}
	return loosely
}

// node is an access where a cycle enters a thread, or leaves it; fenced tells that an acquire fence is behind it on the way, or a release fence before it.
type node struct {
	*access
	leaves, fenced bool
	leg
}

// arc leads from a node to another one.
type arc struct {
	to   node
	weak bool // it is not a part of what the model keeps in order
	wild bool // an edge that is more than reading, be it by way of updates
}

// arcs returns the graph in which cycles are looked for: paths, and edges between accesses of the same location.
func (a *analysis) arcs() map[node][]arc {
	g := map[node][]arc{}
	from, to := map[*access][]node{}, []node{}
	for _, p := range a.paths {
		l := a.legOf(p)
		x, y := node{p.from, false, p.passed&acquired != 0, l}, node{p.to, true, p.passed&released != 0, l}
		g[x] = append(g[x], arc{y, l == loosely, false})
		if !slices.Contains(from[p.from], x) {
			from[p.from] = append(from[p.from], x)
		}
		if !slices.Contains(to, y) {
			to = append(to, y)
		}
	}
	for _, y := range to {
		for _, other := range y.others {
			if !a.edge(y.access, other) {
				continue
			}
			for _, x := range from[other] {
				if !a.synchronises(y.access, y.fenced, x.access, x.fenced) {
					g[y] = append(g[y], arc{x, loose(y, x), !follows(y.access, x.access) && !a.chained(y.access)})
				}
			}
		}
	}
	return g
}

// loose reports whether an edge between two legs of C11 is not one of psc: one or both of them are kept by their ends, and the second one begins with a read of something that
// is not seq_cst.
func loose(y, x node) bool {
	return (y.leg == byEnds || x.leg == byEnds) && !x.writes && !(x.sealed && x.acquire)
}

// order returns the nodes of a graph in a fixed order.
func order(g map[node][]arc) (list []node) {
	for x := range g {
		list = append(list, x)
	}
	b := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(x, y node) int {
		if x.id != y.id {
			return x.id - y.id
		}
		return b(x.leaves)*8 + b(x.fenced)*4 + int(x.leg) - b(y.leaves)*8 - b(y.fenced)*4 - int(y.leg)
	})
	return list
}

// findCycle looks for a cycle that the model allows.
func (a *analysis) findCycle() *Reason {
	g := a.arcs()
	part := components(g, order(g))
	weak, wild := map[int]bool{}, map[int]bool{}
	for x, list := range g { // order does not matter
		for _, y := range list {
			if part[x] == part[y.to] {
				weak[part[x]] = weak[part[x]] || y.weak
				wild[part[x]] = wild[part[x]] || y.wild
			}
		}
	}
	repeats := map[int]bool{}
	for x := range g { // order does not matter
		if a.repeats(x) {
			repeats[part[x]] = true
		}
	}
	nodes := order(g)
	tries := 0
	for i, x := range nodes {
		k := part[x]
		if !weak[k] || !wild[k] || x.leaves {
			continue
		}
		if repeats[k] {
			return &Reason{Cycle: a.weakIn(g, nodes, part, k), Text: "accesses may be seen out of order"}
		}
		s := &search{analysis: a, arcs: g, part: part, rank: map[node]int{}, start: x, tries: &tries}
		for j, y := range nodes {
			s.rank[y] = j - i
		}
		if s.from(x, false, false) {
			return &Reason{Cycle: s.cycle(), Text: "accesses may be seen out of order"}
		}
		if tries > maxTries {
			return &Reason{Cycle: a.weakIn(g, nodes, part, k), Text: "accesses may be seen out of order, or there are too many ways to tell"}
		}
	}
	return nil
}

// maxTries bounds the steps of the search for one cycle.
const maxTries = 300_000

// repeats reports whether a cycle may enter threads at a node more than once: several threads, each with a location of its own.
func (a *analysis) repeats(x node) bool { return !x.leaves && x.only == nil && !a.single(x.access) }

// weakIn returns the first path of a component that may be seen in the other order.
func (a *analysis) weakIn(g map[node][]arc, nodes []node, part map[node]int, k int) []Step {
	for _, x := range nodes {
		for _, y := range g[x] {
			if y.weak && !x.leaves && part[x] == k && part[y.to] == k {
				return []Step{{x.in.Meta().Site, y.to.in.Meta().Site, true}}
			}
		}
	}
	return nil
}

// search looks for a cycle that begins at a node and has the form of a shortest one (doc.go).
type search struct {
	*analysis
	arcs  map[node][]arc
	part  map[node]int
	rank  map[node]int // of nodes in order, that of the start is 0
	start node
	steps []segment
	tries *int
}

// segment is a path of a cycle.
type segment struct {
	from, to node
	weak     bool
}

// from goes on at a node where the cycle enters a thread. It reports whether there is a cycle.
func (s *search) from(x node, weak, wild bool) bool {
	for _, p := range s.arcs[x] {
		if *s.tries++; *s.tries > maxTries {
			return false
		}
		if s.part[p.to] != s.part[s.start] || !s.fits(x, p.to) {
			continue
		}
		s.steps = append(s.steps, segment{x, p.to, p.weak})
		for _, e := range s.arcs[p.to] {
			w, n := weak || p.weak || e.weak, wild || e.wild
			if e.to == s.start && len(s.steps) > 1 && w && n || s.rank[e.to] > 0 && s.from(e.to, w, n) {
				return true
			}
		}
		s.steps = s.steps[:len(s.steps)-1]
	}
	return false
}

// fits reports whether a path may be a part of the cycle: nothing of it happens before anything of the others or after it, and it begins with another location.
func (s *search) fits(x, y node) bool {
	for _, l := range s.steps {
		if same(l.from.access, x.access) || l.from == x {
			return false
		}
		for _, u := range []*access{x.access, y.access} {
			if !s.parallel(u, l.from.access) || !s.parallel(u, l.to.access) {
				return false
			}
		}
	}
	return true
}

// cycle returns the cycle that was found.
func (s *search) cycle() (list []Step) {
	for _, l := range s.steps {
		list = append(list, Step{l.from.in.Meta().Site, l.to.in.Meta().Site, l.weak})
	}
	return list
}

// components returns for each node the number of its strongly connected component (Tarjan 1972, without recursion).
func components(g map[node][]arc, nodes []node) map[node]int {
	low, num, part := map[node]int{}, map[node]int{}, map[node]int{}
	var stack []node
	type frame struct {
		node
		next int
	}
	for _, root := range nodes {
		if num[root] > 0 {
			continue
		}
		calls := []frame{{root, 0}}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			x := f.node
			if f.next == 0 {
				num[x] = len(num) + 1
				low[x] = num[x]
				stack = append(stack, x)
			}
			if f.next < len(g[x]) {
				y := g[x][f.next].to
				f.next++
				switch {
				case num[y] == 0:
					calls = append(calls, frame{y, 0})
				case part[y] == 0:
					low[x] = min(low[x], num[y])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].node
				low[p] = min(low[p], low[x])
			}
			if low[x] == num[x] {
				for {
					y := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					part[y] = num[x]
					if y == x {
						break
					}
				}
			}
		}
	}
	return part
}
