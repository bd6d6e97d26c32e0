package check

import (
	"maps"
	"testing"

	"comus/ir/interp"
)

// TestReduction drops as many cut-points as the checker lets pass and compares
// which threads can fail first with and without the context switches elsewhere.
func TestReduction(t *testing.T) {
	failing, dropped := 0, 0
	n := uint64(120)
	if testing.Short() {
		n = 40
	}
	for seed := range n {
		p := RandomProgram(seed)
		p.Renumber()
		want := Explore(p, nil)
		if want == nil {
			continue
		}
		pr, err := newProgram(p)
		if err != nil {
			t.Fatal(err)
		}
		prover, err := newProver(t.Context(), p.L)
		if err != nil {
			t.Fatal(err)
		}
		c := &checker{pr: pr, prover: prover}
		for _, th := range pr.threads {
			th.cut = make([]bool, len(th.Locs))
			for i, l := range th.Locs {
				th.cut[i] = !l.Atomic && !l.Error
			}
		}
		if err := c.checkCuts(); err != nil {
			t.Fatalf("seed %d: all cut-points: %v", seed, err)
		}
		for _, th := range pr.threads {
			for i := range th.cut {
				if th.cut[i] && i != th.Entry.Index {
					th.cut[i] = false
					dropped++
					if c.checkCuts() != nil {
						th.cut[i] = true
						dropped--
					}
				}
			}
		}
		prover.s.Close()
		got := Explore(p, func(s *interp.State, k int) bool {
			for i, l := range s.Locs {
				if i != k && !pr.threads[i].cut[l.Index] {
					return false
				}
			}
			return true
		})
		if !maps.Equal(got, want) {
			t.Errorf("seed %d: threads %v can fail first, with the reduction %v\n%s", seed, want, got, p)
		}
		if len(want) > 0 {
			failing++
		}
	}
	t.Logf("%d programs, %d can fail, %d cut-points dropped", n, failing, dropped)
	if dropped == 0 || failing == 0 {
		t.Error("the test tests nothing")
	}
}
