package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"comus/cir"
)

// benchGraph returns a graph of n events of 3 threads that is consistent with all models: they read and write 4 locations with all orders, one event after the other.
// If it is to be weak, the last 6 events are store buffering, so it is not sequentially consistent.
func benchGraph(n, strong int, weak bool) *Graph {
	if weak {
		n -= 6
	}
	rnd := rand.New(rand.NewPCG(uint64(n), 0))
	g := &grower{Graph: &Graph{MO: map[uint64][]int{}}, Rand: rnd, model: SC, threads: 3, locs: 4, strong: strong, last: []int{-1, -1, -1}}
	for l := range uint64(g.locs) {
		g.MO[l] = []int{g.put(Event{Thread: -1, Kind: Write, Loc: l})}
	}
	for len(g.Events) < n {
		loc := uint64(rnd.IntN(g.locs))
		writes := g.MO[loc]
		switch e := (Event{Thread: rnd.IntN(3), Loc: loc}); rnd.IntN(8) {
		case 0:
			e.Kind, e.Order = Fence, g.order(cir.AcqRel)
			g.put(e)
		case 1, 2, 3:
			e.Kind, e.Order = Write, g.order(cir.Relaxed, cir.Release)
			g.MO[loc] = append(writes, g.put(e))
		default:
			e.Kind, e.Order = Read, g.order(cir.Relaxed, cir.Acquire)
			g.RF[g.put(e)] = writes[len(writes)-1]
		}
	}
	if !weak {
		return g.Graph
	}
	for l := range uint64(2) {
		g.MO[10+l] = []int{g.put(Event{Thread: -1, Kind: Write, Loc: 10 + l})}
	}
	for t := range 2 {
		mine, other := uint64(10+t), uint64(11-t)
		g.MO[mine] = append(g.MO[mine], g.put(Event{Thread: t, Kind: Write, Loc: mine, Order: cir.Relaxed}))
		g.RF[g.put(Event{Thread: t, Kind: Read, Loc: other, Order: cir.Relaxed})] = g.MO[other][0]
	}
	return g.Graph
}

func BenchmarkConsistent(b *testing.B) {
	for _, n := range []int{30, 100, 300} {
		for _, m := range allModels[1:] {
			for _, strong := range []int{0, 2, 4} {
				benchConsistent(b, fmt.Sprintf("%v/%d/weak,seq_cst=%d_in_4", m, n, strong), m, benchGraph(n, strong, true))
			}
		}
		benchConsistent(b, fmt.Sprintf("any/%d/not weak", n), RC11, benchGraph(n, 2, false))
	}
}

func benchConsistent(b *testing.B, name string, m Model, g *Graph) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !g.Consistent(m) {
				b.Fatal("not consistent")
			}
		}
	})
}
