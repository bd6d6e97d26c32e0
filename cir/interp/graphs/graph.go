package graphs

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/memory"
)

// graph is an execution graph whose events are in the order in which they were added.
type graph struct {
	memory.Graph
	made    []made
	threads [][]int        // the events of each, in program order
	first   map[uint64]int // the initial write of a location
}

// made is how an event came about.
type made struct {
	kind           interp.AtomicKind
	choice         bool // an input, of one bit
	fails          bool // an exchange, without a reason
	order, failure cir.Order
	site           *cir.Site
	object         string
}

func newGraph() *graph {
	return &graph{Graph: memory.Graph{MO: map[uint64][]int{}}, first: map[uint64]int{}}
}

// clone returns a copy.
func (g *graph) clone() *graph {
	c := &graph{made: slices.Clone(g.made), first: maps.Clone(g.first)}
	c.Events, c.RF, c.Sync = slices.Clone(g.Events), slices.Clone(g.RF), slices.Clone(g.Sync)
	c.MO = make(map[uint64][]int, len(g.MO))
	for loc, list := range g.MO {
		c.MO[loc] = slices.Clone(list)
	}
	c.threads = make([][]int, len(g.threads))
	for i, list := range g.threads {
		c.threads[i] = slices.Clone(list)
	}
	return c
}

// add adds an event at the end of its thread, behind others that synchronise with it.
func (g *graph) add(e memory.Event, m made, behind []int) int {
	i := len(g.Events)
	g.Events, g.RF, g.made = append(g.Events, e), append(g.RF, -1), append(g.made, m)
	if e.Thread >= 0 {
		for len(g.threads) <= e.Thread {
			g.threads = append(g.threads, nil)
		}
		g.threads[e.Thread] = append(g.threads[e.Thread], i)
	}
	for _, b := range behind {
		g.Sync = append(g.Sync, [2]int{b, i})
	}
	return i
}

// locate adds the initial write of a location, if it is not there.
func (g *graph) locate(loc uint64, object string) {
	if _, ok := g.first[loc]; ok {
		return
	}
	i := g.add(memory.Event{Thread: -1, Kind: memory.Write, Loc: loc, Order: cir.Plain}, made{object: object}, nil)
	g.first[loc], g.MO[loc] = i, []int{i}
}

// put puts a write into the modification order, at a place.
func (g *graph) put(w, at int) {
	loc := g.Events[w].Loc
	g.MO[loc] = slices.Insert(g.MO[loc], at, w)
}

// take takes it out.
func (g *graph) take(w int) {
	loc := g.Events[w].Loc
	g.MO[loc] = slices.DeleteFunc(g.MO[loc], func(x int) bool { return x == w })
}

// known returns the place in the order of writes of the newest write to the location of an event, its thread's last one, that the thread has made or read before: by coherence, the event comes behind it.
func (g *graph) known(of int) int {
	list := g.threads[g.Events[of].Thread]
	loc := g.Events[of].Loc
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if e == of || g.Events[e].Loc != loc {
			continue
		}
		switch g.Events[e].Kind {
		case memory.Write:
			return slices.Index(g.MO[loc], e)
		case memory.Read:
			return slices.Index(g.MO[loc], g.RF[e])
		}
	}
	return 0
}

// prefix returns which events come before one in program order, reads-from and synchronisation, initial writes apart.
func (g *graph) prefix(of int) []bool {
	in := make([]bool, len(g.Events))
	previous := make([]int, len(g.Events))
	for i := range previous {
		previous[i] = -1
	}
	for _, list := range g.threads {
		for k := 1; k < len(list); k++ {
			previous[list[k]] = list[k-1]
		}
	}
	behind := map[int][]int{}
	for _, s := range g.Sync {
		behind[s[1]] = append(behind[s[1]], s[0])
	}
	todo := []int{of}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range append([]int{previous[e], g.RF[e]}, behind[e]...) {
			if p >= 0 && !in[p] && g.Events[p].Thread >= 0 {
				in[p] = true
				todo = append(todo, p)
			}
		}
	}
	return in
}

// without returns the graph without some events, and where the others are in it; -1: nowhere.
func (g *graph) without(deleted []bool) (*graph, []int) {
	c := newGraph()
	at := make([]int, len(g.Events))
	for i := range g.Events {
		if at[i] = -1; deleted[i] {
			continue
		}
		at[i] = c.add(g.Events[i], g.made[i], nil)
		if g.Events[i].Thread < 0 {
			c.first[g.Events[i].Loc] = at[i]
		}
	}
	for i, r := range g.RF {
		if at[i] >= 0 && r >= 0 {
			c.RF[at[i]] = at[r]
		}
	}
	for loc, list := range g.MO {
		for _, w := range list {
			if at[w] >= 0 {
				c.MO[loc] = append(c.MO[loc], at[w])
			}
		}
	}
	for _, s := range g.Sync {
		if at[s[0]] >= 0 && at[s[1]] >= 0 {
			c.Sync = append(c.Sync, [2]int{at[s[0]], at[s[1]]})
		}
	}
	return c, at
}

// revisit calls f with each graph in which a read that is there already reads a new write instead, which is in no modification order yet, and stands last.
func (g *graph) revisit(w int, f func(c *graph, w int)) {
	var before []bool
	loc := g.Events[w].Loc
	for r := range g.Events[:w] {
		if e := &g.Events[r]; e.Kind != memory.Read || e.Loc != loc || e.Thread == g.Events[w].Thread {
			continue
		}
		if before == nil {
			before = g.prefix(w)
		}
		if before[r] {
			continue
		}
		deleted := make([]bool, len(g.Events))
		fits := g.added(r, w, before)
		for e := r + 1; e < w && fits; e++ {
			if !before[e] && g.Events[e].Thread >= 0 {
				deleted[e] = true
				fits = g.added(e, w, before)
			}
		}
		if !fits {
			continue
		}
		c, at := g.without(deleted)
		again, m := at[r], &c.made[at[r]]
		c.RF[again] = at[w]
		if m.kind == interp.AtomicExchange || m.kind == interp.AtomicLock { // it may fail now
			c.Events[again].Exclusive, c.Events[again].Order = false, undecided(m.order, m.failure)
		}
		f(c, at[w])
	}
}

// added reports whether an event is what would have been added without a write, in a graph of what was there before it and what the write depends on.
func (g *graph) added(e, w int, before []bool) bool {
	there := func(x int) bool { return x <= e || before[x] || g.Events[x].Thread < 0 }
	newest := e
	switch g.Events[e].Kind {
	case memory.Read:
		if newest = g.RF[e]; g.made[e].fails {
			return false
		}
	case memory.Write:
	default:
		return !g.made[e].choice || g.Events[e].Value == 0
	}
	if g.Events[e].Kind == memory.Write {
		for r, from := range g.RF {
			if from == e && r != w && there(r) {
				return false
			}
		}
	}
	if !there(newest) {
		return false
	}
	list := g.MO[g.Events[e].Loc]
	for i := len(list) - 1; i >= 0 && list[i] != newest; i-- {
		if list[i] != w && there(list[i]) {
			return false
		}
	}
	return true
}
