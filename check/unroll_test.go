package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"comus/ir"
)

// randomGraph returns a program with one thread whose edges lead anywhere.
func randomGraph(r *rand.Rand) *ir.Program {
	p := ir.NewProgram("p.c")
	t := p.NewThread("main")
	for range 2 + r.IntN(6) {
		t.NewLoc(ir.Pos{})
	}
	for i := range len(t.Locs) + r.IntN(6) {
		from, to := t.Locs[r.IntN(len(t.Locs))], t.Locs[r.IntN(len(t.Locs))]
		t.NewEdge(from, to, ir.Pos{}, fmt.Sprint(i))
	}
	return p
}

// TestUnroll unrolls random graphs, most of which have loops that are entered at several
// places: the result has no loops, every copy has the edges of its location, and a walk
// of n steps that repeats no location more often than the bound is one of the unrolling.
func TestUnroll(t *testing.T) {
	beyond := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomGraph(r)
		bound := r.IntN(3)
		u, err := unroll(p, bound)
		if err != nil {
			t.Fatal(seed, err)
		}
		unrolled := u.Threads[0]
		if _, err := forward(unrolled); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, l := range unrolled.Locs {
			switch {
			case u.beyond[l]:
				beyond++
			case len(l.Out) == 1 && u.beyond[l.Out[0].To]:
			case len(l.Out) != len(u.origin[l].Out):
				t.Fatalf("seed %d: a copy has %d edges, its location %d", seed, len(l.Out), len(u.origin[l].Out))
			default:
				for i, e := range l.Out {
					if u.origin[e.To] != u.origin[l].Out[i].To {
						t.Fatalf("seed %d: an edge of a copy leads elsewhere", seed)
					}
				}
			}
		}
		walk(t, seed, r, u, p.Threads[0], bound)
	}
	if beyond < 1000 {
		t.Errorf("only %d times beyond the bound", beyond)
	}
}

// walk takes a random walk in the program and in its unrolling at once.
func walk(t *testing.T, seed uint64, r *rand.Rand, u *unrolling, from *ir.Thread, bound int) {
	at, visits := u.Threads[0].Entry, map[*ir.Loc]int{}
	for range 30 {
		l := u.origin[at]
		if u.beyond[at] || len(l.Out) == 0 {
			return
		}
		if visits[l]++; visits[l] > bound {
			return // perhaps a loop's head, gone around too often
		}
		i := r.IntN(len(l.Out))
		if len(at.Out) <= i || u.beyond[at.Out[i].To] {
			t.Fatalf("seed %d: a walk ends that comes to no location of %s more than %d times", seed, from.Name, bound)
		}
		at = at.Out[i].To
	}
}
