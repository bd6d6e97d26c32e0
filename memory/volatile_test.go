package memory

import (
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// TestDepends marks accesses of random graphs as volatile, and looks what a graph depends on: on nothing if it is consistent as it would be with stronger accesses, and on no access that is strong already.
func TestDepends(t *testing.T) {
	volatile, races, free := 0, 0, 0
	forGraphs(t, *graphs, func(rnd *rand.Rand, g *grower) {
		if !g.Consistent(RC11) {
			return
		}
		for i := range g.Events {
			if e := &g.Events[i]; e.Thread >= 0 && e.access() && !e.Exclusive && e.Order == cir.Relaxed {
				e.Volatile = rnd.IntN(2) == 0
			}
		}
		switch i := g.DependsOnVolatile(RC11); {
		case i >= 0 && (!g.Events[i].Volatile || g.Consistent(SC)):
			t.Fatalf("it depends on %d: %+v", i, g.Graph)
		case i >= 0:
			volatile++
		default:
			free++
		}
		if g.DependsOnRaces(RC11) {
			if races++; g.Consistent(SC) {
				t.Fatalf("a sequentially consistent graph depends on races: %+v", g.Graph)
			}
		}
	})
	if t.Log(volatile, races, free); volatile == 0 || races == 0 || free == 0 {
		t.Error("some case does not occur")
	}
}

// TestReordered looks at what TSO keeps in order in graphs that it forbids: pairs of accesses in program order, of one thread. Where all axioms but that of the global order hold, there is such a pair, or a fence orders.
func TestReordered(t *testing.T) {
	pairs := 0
	forGraphs(t, *graphs, func(_ *rand.Rand, g *grower) {
		list := g.Reordered(TSO)
		if g.Consistent(TSO) && list != nil {
			t.Fatalf("pairs of a graph that is allowed: %+v", g.Graph)
		}
		for _, p := range list {
			x, y := &g.Events[p.First], &g.Events[p.Second]
			if x.Thread != y.Thread || x.Thread < 0 || !x.access() || !y.access() || p.First >= p.Second {
				t.Fatalf("%v: %+v", p, g.Graph)
			}
			pairs++
		}
	})
	if pairs == 0 {
		t.Error("there are no pairs")
	}
}
