package graphs_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cir"
	"comus/cir/interp/graphs"
	"comus/internal/long"
	"comus/memory"
)

// guideTo returns a guide to a graph. Accesses of mutexes are told by their places: all others have an object that the program names.
func guideTo(g *memory.Graph) *graphs.Guide {
	guide, where, place := &graphs.Guide{}, map[int][2]int{}, map[int]int{}
	for i, e := range g.Events {
		if e.Thread >= 0 {
			for len(guide.Threads) <= e.Thread {
				guide.Threads = append(guide.Threads, nil)
			}
			where[i] = [2]int{e.Thread, len(guide.Threads[e.Thread])}
			guide.Threads[e.Thread] = append(guide.Threads[e.Thread], graphs.Guided{})
		}
	}
	for _, list := range g.MO {
		for p, w := range list {
			place[w] = p
		}
	}
	for i, e := range g.Events {
		at, ok := where[i]
		if !ok {
			continue
		}
		x := graphs.Guided{Kind: e.Kind, Exclusive: e.Exclusive, Plain: (e.Kind == memory.Read || e.Kind == memory.Write) && e.Order == cir.Plain, At: e.At, Lock: e.Object == "m", From: [2]int{-1, 0}, Place: place[i]}
		if from := g.RF[i]; e.Kind == memory.Read && g.Events[from].Thread >= 0 {
			x.From = where[from]
		}
		guide.Threads[at[0]][at[1]] = x
	}
	return guide
}

// TestGuide has runs follow the graphs of random programs.
func TestGuide(t *testing.T) {
	followed := 0
	for seed := uint64(1); seed <= uint64(long.N(40, 8)); seed++ {
		text := randomProgram(rand.New(rand.NewPCG(seed, 21)), atomics)
		if strings.Contains(text, "while") { // a graph has fewer rounds of a wait than a run
			continue
		}
		p := load(t, text)
		for _, m := range []memory.Model{memory.TSO, memory.PSO, memory.RC11} {
			n := 0
			if _, err := graphs.Explore(t.Context(), p, graphs.Options{Model: m, Run: options, Runs: 300}, func(ex *graphs.Execution) bool {
				if ex.Blocked {
					return false
				}
				n++
				follow(t, text, p, m, ex)
				return n > 10 || t.Failed()
			}); err != nil {
				t.Fatal(err)
			}
			followed += n
		}
	}
	if followed < 20 {
		t.Errorf("only %d graphs were followed", followed)
	}
}

// follow has a run follow an execution.
func follow(t *testing.T, text string, p *cir.Program, m memory.Model, ex *graphs.Execution) {
	t.Helper()
	again := 0
	_, err := graphs.Explore(t.Context(), p, graphs.Options{Model: m, Run: options, Runs: 1, Guide: guideTo(ex.Graph)}, func(x *graphs.Execution) bool {
		again++
		if end(x.Result) != end(ex.Result) || x.Sum() != ex.Sum() {
			t.Errorf("%s: it ends with %q, not with %q:\n%s", m, end(x.Result), end(ex.Result), text)
		}
		return true
	})
	if err != nil || again != 1 {
		t.Errorf("%s: %d runs, %v:\n%s", m, again, err, text)
	}
}
