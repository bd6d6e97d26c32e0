package machine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"comus/cir"
	"comus/memory"
	. "comus/memory/machine"
)

// onlyFences weakens all seq_cst accesses.
func onlyFences(p Program) Program {
	for _, thread := range p {
		for k := range thread {
			in := &thread[k]
			switch {
			case in.Order != cir.SeqCst && in.Failure != cir.SeqCst || in.Op == Fence:
			case in.Op == Load:
				in.Order = cir.Acquire
			case in.Op == Store:
				in.Order = cir.Release
			default:
				in.Order = cir.AcqRel
			}
			if in.Failure == cir.SeqCst {
				in.Failure = cir.Acquire
			}
		}
	}
	return p
}

// inOrder reports whether there is an order of all events in which seq_cst fences are as RC11 demands, and reads come behind the writes that they read from: po ∪ rf ∪ psc has no cycle.
func inOrder(g *memory.Graph) bool {
	n := len(g.Events)
	hb := g.HappensBefore()
	place := make([]int, n) // 2p for the write at place p, 2p+1 for reads of it; eco leads to larger ones
	for i := range place {
		place[i] = -1
	}
	for _, writes := range g.MO {
		for p, i := range writes {
			place[i] = 2 * p
		}
	}
	for i, from := range g.RF {
		if from >= 0 {
			place[i] = place[from] + 1
		}
	}
	fence := func(i int) bool { return g.Events[i].Kind == memory.Fence && g.Events[i].Order == cir.SeqCst }
	after := make([][]bool, n)
	for a := range n {
		after[a] = make([]bool, n)
		for b := range n {
			po := a < b && g.Events[a].Thread == g.Events[b].Thread || g.Events[a].Thread < 0 && g.Events[b].Thread >= 0
			after[a][b] = po || g.RF[b] == a || fence(a) && fence(b) && hb.Has(a, b)
		}
	}
	for _, s := range g.Sync {
		after[s[0]][s[1]] = true
	}
	for b := range n {
		for c := range n {
			if place[b] < 0 || place[c] <= place[b] || g.Events[b].Loc != g.Events[c].Loc {
				continue
			}
			for a := range n {
				for d := range n {
					if fence(a) && fence(d) && hb.Has(a, b) && hb.Has(c, d) {
						after[a][d] = true
					}
				}
			}
		}
	}
	for k := range n {
		for a := range n {
			for b := range n {
				after[a][b] = after[a][b] || after[a][k] && after[k][b]
			}
		}
	}
	for a := range n {
		if after[a][a] {
			return false
		}
	}
	return true
}

// checkGlobal compares the machine whose seq_cst fences share one view with the other one. It returns the numbers of graphs.
func checkGlobal(t *testing.T, p Program) (global, all int) {
	t.Helper()
	r, err := Explore(p, memory.RC11, Options{States: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		return 0, 0
	}
	want := map[string]bool{}
	for _, x := range r.Executions {
		if inOrder(x.Graph) {
			want[name(x.Graph, x.Registers)] = true
		}
	}
	g, err := Explore(p, memory.RC11, Options{Global: true})
	if err != nil || !g.Complete {
		t.Fatal(err, p)
	}
	for _, x := range g.Executions {
		k := name(x.Graph, x.Registers)
		if !want[k] {
			t.Fatalf("one view for all fences allows an execution that is in no order:\n%v%v", p, k)
		}
		delete(want, k)
	}
	for k := range want {
		t.Fatalf("one view for all fences does not allow an execution that is in order:\n%v%v", p, k)
	}
	return len(g.Executions), len(r.Executions)
}

// late is a program with an execution in which the fence of the last thread is before that of the first one in the order of seq_cst events, though it is performed later: it reads, by way of the second thread, from a write behind it.
var late = Program{{store(x, 1, rlx), fence(sc), store(y, 1, rlx)}, {load(1, y, rlx), store(z, 1, rlx)}, {load(1, z, rlx), fence(sc), load(2, x, rlx)}}

// TestGlobal shows what seq_cst fences that share one view allow: what RC11 does if there is an order of everything, and not more. (Promises are what Kang et al. allow the rest with.)
func TestGlobal(t *testing.T) {
	ends := []end{{1, 1, 1}, {2, 1, 1}, {2, 2, 0}}
	if !reaches(t, late, memory.RC11, Options{}, ends...) || reaches(t, late, memory.RC11, Options{Global: true}, ends...) {
		t.Error("RC11 allows the fence to be late, one view does not")
	}
	checkGlobal(t, late)
	if _, err := Explore(Program{{load(1, x, sc)}}, memory.RC11, Options{Global: true}); err == nil {
		t.Error("a seq_cst access is taken")
	}
	rnd := rand.New(rand.NewPCG(*seed, 32))
	differ := 0
	for done := 0; done < *programs/2; {
		p := onlyFences(random(rnd))
		if done%2 == 0 {
			p = addFence(rnd, varied(rnd, late))
		}
		global, all := checkGlobal(t, addFence(rnd, p))
		if all > 0 {
			done++
		}
		if global != all {
			differ++
		}
	}
	t.Logf("%d of %d random programs have more executions", differ, *programs/2)
	if differ < *programs/20 {
		t.Error("too few programs tell the machines apart")
	}
}

// varied adds accesses to a program.
func varied(rnd *rand.Rand, p Program) Program {
	g := &generator{Rand: rnd, locs: 4}
	p = slices.Clone(p)
	for range 1 + rnd.IntN(2) {
		t := rnd.IntN(len(p))
		p[t] = slices.Insert(slices.Clone(p[t]), rnd.IntN(len(p[t])+1), g.access(rnd.IntN(2) == 0, rnd.IntN(g.locs)))
	}
	return p
}

// addFence adds a seq_cst fence to two threads.
func addFence(rnd *rand.Rand, p Program) Program {
	for range 2 {
		t := rnd.IntN(len(p))
		at := len(p[t])
		if at > 1 && p[t][at-2].Op != Jump {
			at--
		}
		p[t] = slices.Insert(p[t], at, fence(sc))
	}
	return p
}
