package memory

import (
	"cmp"
	"fmt"
	"slices"

	"comus/cir"
)

// Change is a change of a program by which it has stronger orders at one place.
type Change struct {
	Event int       // what it is about; of a read-modify-write, its read: the order is that of both halves
	Order cir.Order // the order that the event has from now on, or the fence's
	Fence bool      // a fence of this order is inserted before the event
}

// String returns what is done.
func (c Change) String() string {
	if c.Fence {
		return fmt.Sprintf("%v fence before event %d", c.Order, c.Event)
	}
	return fmt.Sprintf("event %d becomes %v", c.Event, c.Order)
}

// cost is for sorting: the order of an access costs less than a fence, and what machines do anyway less than seq_cst.
func (c Change) cost() int {
	switch {
	case c.Order == cir.SeqCst && c.Fence:
		return 4
	case c.Order == cir.SeqCst:
		return 3
	case c.Fence:
		return 2
	case c.Order == cir.AcqRel:
		return 1
	}
	return 0
}

// stronger reports whether an order is stronger than another one.
func stronger(a, b cir.Order) bool {
	return a > b && !(a == cir.Release && b == cir.Acquire)
}

// Forbidding returns the changes after which a graph that is consistent with a model is not consistent any more: what would have prevented the execution. The
// cheapest are first. At each place there are only the weakest orders that do it. A plain access is made no atomic one, which is not one place only.
func (g *Graph) Forbidding(m Model) []Change {
	tries := g.changes()
	slices.SortStableFunc(tries, func(a, b Change) int { return cmp.Compare(a.cost(), b.cost()) })
	var all []Change
	for _, c := range tries {
		known := slices.ContainsFunc(all, func(k Change) bool {
			return k.Event == c.Event && k.Fence == c.Fence && stronger(c.Order, k.Order)
		})
		if !known && !g.With(c).Consistent(m) {
			all = append(all, c)
		}
	}
	return all
}

// mostPairs is how many pairs of changes are tried.
const mostPairs = 6000

// ForbiddingPair returns two changes, in different threads, that together forbid a graph which is consistent with a model, where none does alone: message passing with relaxed
// accesses needs a release and an acquire. It is a cheapest pair; nil if there is none, or there are too many to try.
func (g *Graph) ForbiddingPair(m Model) []Change {
	tries := g.changes()
	if len(tries)*len(tries) > mostPairs {
		return nil
	}
	var pairs [][]Change
	for i, a := range tries {
		for _, b := range tries[i+1:] {
			if g.Events[a.Event].Thread != g.Events[b.Event].Thread {
				pairs = append(pairs, []Change{a, b})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y []Change) int { return cmp.Compare(x[0].cost()+x[1].cost(), y[0].cost()+y[1].cost()) })
	for _, p := range pairs {
		if !g.With(p[1]).With(p[0]).Consistent(m) { // the later event first: a fence that is inserted moves what comes after it
			return p
		}
	}
	return nil
}

// changes returns all changes that there are.
func (g *Graph) changes() []Change {
	var all []Change
	for i := range g.Events {
		e := &g.Events[i]
		if e.Thread < 0 || e.Kind == Write && e.Exclusive || e.input() { // a fence before an input is one before what follows
			continue
		}
		if e.Kind != Other || g.before(i) >= 0 {
			all = append(all, Change{i, cir.AcqRel, true}, Change{i, cir.SeqCst, true})
		}
		if e.Kind == Other || e.Order == cir.Plain {
			continue
		}
		for o := cir.Acquire; o <= cir.SeqCst; o++ {
			both := e.Kind == Fence || e.Exclusive
			fits := o == cir.SeqCst || both || o == cir.Acquire && e.Kind == Read || o == cir.Release && e.Kind == Write
			if fits && stronger(o, e.Order) {
				all = append(all, Change{i, o, false})
			}
		}
	}
	return all
}

// before returns the event before i in its thread; -1 if there is none.
func (g *Graph) before(i int) int {
	for j := i - 1; j >= 0; j-- {
		if g.Events[j].Thread == g.Events[i].Thread {
			return j
		}
	}
	return -1
}

// With returns the graph after a change; an inserted fence has the event's number, and the later events have one more. What the first event
// of a thread synchronises with, the fence before it does.
func (g *Graph) With(c Change) *Graph {
	h := &Graph{Events: slices.Clone(g.Events), RF: g.RF, MO: g.MO, Sync: g.Sync}
	if !c.Fence {
		h.Events[c.Event].Order = c.Order
		if h.Events[c.Event].Exclusive {
			for j := c.Event + 1; j < len(h.Events); j++ {
				if h.Events[j].Thread == h.Events[c.Event].Thread {
					h.Events[j].Order = c.Order
					break
				}
			}
		}
		return h
	}
	to := func(i int) int {
		if i >= c.Event {
			i++
		}
		return i
	}
	h.Events = slices.Insert(h.Events, c.Event, Event{Thread: g.Events[c.Event].Thread, Kind: Fence, Order: c.Order})
	h.RF, h.MO, h.Sync = make([]int, len(h.Events)), make(map[uint64][]int, len(g.MO)), make([][2]int, len(g.Sync))
	h.RF[c.Event] = -1
	for i, w := range g.RF {
		h.RF[to(i)] = to(w)
	}
	for l, writes := range g.MO {
		for _, i := range writes {
			h.MO[l] = append(h.MO[l], to(i))
		}
	}
	for k, s := range g.Sync {
		h.Sync[k] = [2]int{to(s[0]), to(s[1])}
		if s[1] == c.Event && g.before(c.Event) < 0 {
			h.Sync[k][1] = c.Event
		}
	}
	return h
}
