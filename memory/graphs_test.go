package memory

import (
	"math/rand/v2"
	"slices"

	"comus/cir"
)

// grower makes random graphs event by event, as a program's execution grows.
type grower struct {
	*Graph
	*rand.Rand
	model          Model
	threads, locs  int
	strong         int  // how many in 4 orders are seq_cst
	free           int  // how many in 8 choices of rf and mo need not be consistent with the model
	weak           bool // the orders do not count yet: all are relaxed
	last           []int
	updates        int  // how many more read-modify-writes there are, for each 10 other events
	joins          bool // there are events that only order, and edges of Sync
	initialMissing bool // one location has no initial write
}

// grow returns a random graph of about n events. A quarter are consistent with the model, a half were before their orders were known, and
// the others have had some choices without regard to the model.
func grow(rnd *rand.Rand, model Model, n int) *grower {
	g := &grower{Graph: &Graph{MO: map[uint64][]int{}}, Rand: rnd, model: model, threads: 2 + rnd.IntN(3), locs: 2 + rnd.IntN(2), strong: rnd.IntN(5), joins: rnd.IntN(3) == 0, updates: rnd.IntN(3) * rnd.IntN(8)}
	switch rnd.IntN(4) {
	case 0, 1:
		g.weak = true
	case 2:
		g.free = 1 + rnd.IntN(3)
	}
	for range g.threads {
		g.last = append(g.last, -1)
	}
	g.initialMissing = g.IntN(8) == 0
	for l := range g.locs {
		if l > 0 || !g.initialMissing {
			g.MO[uint64(l)] = []int{g.put(Event{Thread: -1, Kind: Write, Loc: uint64(l)})}
		}
	}
	for tries := 0; len(g.Events) < n && tries < 4*n; tries++ {
		g.step()
	}
	for range rnd.IntN(4) * n {
		g.scramble()
	}
	return g
}

func (g *grower) order(of ...cir.Order) cir.Order {
	if g.IntN(4) < g.strong {
		return cir.SeqCst
	}
	return of[g.IntN(len(of))]
}

// scramble lets a read read from another write, be it a later one, or swaps two writes in mo, if the threads remain coherent.
func (g *grower) scramble() {
	i := g.IntN(len(g.Events))
	writes := g.MO[g.Events[i].Loc]
	from, p := g.RF[i], slices.Index(writes, i)
	switch {
	case from >= 0:
		g.choose(i)
	case p > 0 && g.Events[writes[p-1]].Thread >= 0:
		writes[p-1], writes[p] = writes[p], writes[p-1]
	default:
		return
	}
	if l := g.layout(); l.atomicity() && l.coherentThreads() {
		return
	}
	if g.RF[i] = from; p > 0 {
		writes[p-1], writes[p] = writes[p], writes[p-1]
	}
}

// relaxed returns the graph with no order stronger than relaxed.
func (g *Graph) relaxed() *Graph {
	c := g.clone()
	for i := range c.Events {
		c.Events[i].Order = min(c.Events[i].Order, cir.Relaxed)
	}
	return c
}

// put appends an event.
func (g *Graph) put(e Event) int {
	g.Events, g.RF = append(g.Events, e), append(g.RF, -1)
	return len(g.Events) - 1
}

// clone returns a copy.
func (g *Graph) clone() *Graph {
	c := &Graph{slices.Clone(g.Events), slices.Clone(g.RF), map[uint64][]int{}, slices.Clone(g.Sync)}
	for l, writes := range g.MO {
		c.MO[l] = slices.Clone(writes)
	}
	return c
}

// stuck reports whether nothing comes after an event: after a read that reads nothing, or the first half of a read-modify-write.
func (g *Graph) stuck(i int) bool {
	return i >= 0 && g.Events[i].Kind == Read && (g.RF[i] < 0 || g.Events[i].Exclusive)
}

// step adds an event, or both halves of a read-modify-write, to a thread, unless that is stuck.
func (g *grower) step() {
	t := g.IntN(g.threads)
	if g.stuck(g.last[t]) {
		return
	}
	before := g.clone()
	lasts := slices.Clone(g.last)
	loc := uint64(g.IntN(g.locs))
	what := g.IntN(10 + g.updates)
	if what >= 10 {
		what = 1
	}
	if what == 0 && g.joins {
		g.addOther(t)
	}
	switch what {
	case 0:
		g.last[t] = g.put(Event{Thread: t, Kind: Fence, Order: g.order(cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst)})
	case 1:
		o := g.order(cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel)
		i := g.put(Event{Thread: t, Kind: Read, Loc: loc, Order: o, Exclusive: true})
		g.last[t] = i
		if g.choose(i) && g.IntN(20) > 0 { // some have the first half only
			g.last[t] = g.put(Event{Thread: t, Kind: Write, Loc: loc, Order: o, Exclusive: true})
			g.place(g.last[t], g.RF[i])
		}
	case 2, 3, 4, 5:
		i := g.put(Event{Thread: t, Kind: Write, Loc: loc, Order: g.order(cir.Plain, cir.Relaxed, cir.Release)})
		g.place(i, -1)
		g.last[t] = i
	default:
		i := g.put(Event{Thread: t, Kind: Read, Loc: loc, Order: g.order(cir.Plain, cir.Relaxed, cir.Acquire), Full: g.IntN(8) == 0})
		g.choose(i)
		g.last[t] = i
	}
	now := g.Graph
	if g.weak {
		now = g.relaxed()
	}
	if g.IntN(8) >= g.free && !now.Consistent(g.model) {
		*g.Graph, g.last = *before, lasts
	}
}

// addOther adds an event that only orders, and perhaps an edge from or to another thread.
func (g *grower) addOther(t int) {
	i := g.put(Event{Thread: t, Kind: Other})
	g.last[t] = i
	for range g.IntN(3) {
		j := g.IntN(len(g.Events))
		if g.Events[j].Thread < 0 || g.Events[j].Thread == t || g.Events[j].Exclusive && g.Events[j].Kind == Read {
			continue
		}
		if last := g.last[g.Events[j].Thread]; last == j && g.IntN(2) == 0 { // creation of a thread, more or less
			u := g.Events[j].Thread
			if g.stuck(j) {
				continue
			}
			g.last[u] = g.put(Event{Thread: u, Kind: Write, Loc: 0, Order: cir.Relaxed})
			g.place(g.last[u], -1)
			g.Sync = append(g.Sync, [2]int{i, g.last[u]})
			return
		}
		g.Sync = append(g.Sync, [2]int{j, i})
	}
}

// choose lets a read read from any write; from none if there is none, and sometimes otherwise.
func (g *grower) choose(i int) bool {
	writes := g.MO[g.Events[i].Loc]
	if len(writes) == 0 || g.IntN(60) == 0 {
		return false
	}
	g.RF[i] = writes[g.IntN(len(writes))]
	return true
}

// place puts a write into mo: behind the given one, if there is one, or anywhere.
func (g *grower) place(i, behind int) {
	loc := g.Events[i].Loc
	writes := g.MO[loc]
	p := len(writes)
	switch {
	case behind >= 0 && g.IntN(8) >= g.free:
		p = slices.Index(writes, behind) + 1
	case len(writes) > 0 && g.IntN(2) == 0:
		p = g.IntN(len(writes) + 1)
		if p == 0 && g.Events[writes[0]].Thread < 0 {
			p = 1
		}
	}
	g.MO[loc] = slices.Insert(writes, p, i)
}

// shuffle brings the events into another order that keeps those of each thread in order.
func (g *Graph) shuffle(rnd *rand.Rand) *Graph {
	var queues [][]int
	for i, e := range g.Events {
		for len(queues) <= e.Thread+1 {
			queues = append(queues, nil)
		}
		queues[e.Thread+1] = append(queues[e.Thread+1], i)
	}
	to := make([]int, len(g.Events))
	for n := 0; n < len(g.Events); {
		q := rnd.IntN(len(queues))
		if len(queues[q]) > 0 {
			to[queues[q][0]], queues[q] = n, queues[q][1:]
			n++
		}
	}
	return g.renamed(to, len(g.Events))
}

// renamed returns a copy in which event i is to[i], or gone if that is -1.
func (g *Graph) renamed(to []int, n int) *Graph {
	c := &Graph{make([]Event, n), make([]int, n), map[uint64][]int{}, nil}
	for i, e := range g.Events {
		if to[i] < 0 {
			continue
		}
		c.Events[to[i]], c.RF[to[i]] = e, -1
		if g.RF[i] >= 0 {
			c.RF[to[i]] = to[g.RF[i]]
		}
	}
	for l, writes := range g.MO {
		for _, i := range writes {
			if to[i] >= 0 {
				c.MO[l] = append(c.MO[l], to[i])
			}
		}
	}
	for _, s := range g.Sync {
		if to[s[0]] >= 0 && to[s[1]] >= 0 {
			c.Sync = append(c.Sync, [2]int{to[s[0]], to[s[1]]})
		}
	}
	return c
}

// maximal returns the events that nothing comes after in po ∪ rf ∪ Sync.
func (g *Graph) maximal() []int {
	follows := make([]bool, len(g.Events))
	last := map[int]int{}
	for i, e := range g.Events {
		if p, ok := last[e.Thread]; ok && e.Thread >= 0 {
			follows[p] = true
		}
		last[e.Thread] = i
		if g.RF[i] >= 0 {
			follows[g.RF[i]] = true
		}
	}
	for _, s := range g.Sync {
		follows[s[0]] = true
	}
	var all []int
	for i, e := range g.Events {
		if !follows[i] && e.Thread >= 0 {
			all = append(all, i)
		}
	}
	return all
}

// remove returns the graph without an event.
func (g *Graph) remove(i int) *Graph {
	to := make([]int, len(g.Events))
	for j := range to {
		switch {
		case j == i:
			to[j] = -1
		case j > i:
			to[j] = j - 1
		default:
			to[j] = j
		}
	}
	return g.renamed(to, len(g.Events)-1)
}
