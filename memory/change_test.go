package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/cir"
)

// TestForbidding looks at what is said of well-known executions.
func TestForbidding(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  Model
		result map[string]uint64
		want   string
	}{
		// events: 0, 1 initial; 2 W x, 3 W y; 4 R y, 5 R x
		{"mp_relaxed_acquire", RC11, map[string]uint64{"r0": 1, "r1": 0}, "[event 3 becomes release, acq_rel fence before event 3]"},
		{"mp_release_relaxed", RC11, map[string]uint64{"r0": 1, "r1": 0}, "[event 4 becomes acquire, acq_rel fence before event 5]"},
		{"mp_relaxed_relaxed", RC11, map[string]uint64{"r0": 1, "r1": 0}, "[]"},
		{"mp_relaxed_relaxed", PSO, map[string]uint64{"r0": 1, "r1": 0}, "[event 3 becomes release, acq_rel fence before event 3, event 2 becomes seq_cst]"},
		// 2 W x, 3 R y; 4 W y, 5 R x
		{"sb_relaxed_relaxed", TSO, map[string]uint64{"r0": 0, "r1": 0}, "[]"},
		// 2 W x, 3 F, 4 R y; 5 W y seq_cst, 6 R x seq_cst
		{"sb_one_fence_release", TSO, map[string]uint64{"r0": 0, "r1": 0}, "[event 2 becomes seq_cst, event 3 becomes seq_cst, seq_cst fence before event 3, seq_cst fence before event 4]"},
		{"sb_one_fence_release", RC11, map[string]uint64{"r0": 0, "r1": 0}, "[event 3 becomes seq_cst, seq_cst fence before event 3, seq_cst fence before event 4]"},
		// 2 l read, 3 l write, 4 W x, 5 l read, 6 l write; 7 R l acquire, 8 R x
		{"lock_handover_acquire", RC11, map[string]uint64{"r0": 2, "r1": 0}, "[event 5 becomes acq_rel, acq_rel fence before event 5]"},
	} {
		tests := litmusTests()
		l := tests[slices.IndexFunc(tests, func(l litmus) bool { return l.name == c.name })]
		found := false
		l.candidates(func(g *candidate) {
			values, _ := g.outcome()
			for x, v := range c.result {
				if values[x] != v {
					return
				}
			}
			if !g.Consistent(c.model) || found {
				return
			}
			found = true
			if got := fmt.Sprint(g.commas(c.model)); got != c.want {
				t.Errorf("%s under %v: %s instead of %s", c.name, c.model, got, c.want)
			}
		})
		if !found {
			t.Errorf("%s under %v: no execution", c.name, c.model)
		}
	}
}

// TestForbiddingPair looks at executions that no single change forbids.
func TestForbiddingPair(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  Model
		result map[string]uint64
		want   string
	}{
		{"mp_relaxed_relaxed", RC11, map[string]uint64{"r0": 1, "r1": 0}, "[event 3 becomes release event 4 becomes acquire]"},
		{"sb_relaxed_relaxed", TSO, map[string]uint64{"r0": 0, "r1": 0}, "[event 2 becomes seq_cst event 4 becomes seq_cst]"},
		{"sb_relaxed_relaxed", RC11, map[string]uint64{"r0": 0, "r1": 0}, "[seq_cst fence before event 3 seq_cst fence before event 5]"},
	} {
		tests := litmusTests()
		l := tests[slices.IndexFunc(tests, func(l litmus) bool { return l.name == c.name })]
		l.candidates(func(g *candidate) {
			values, _ := g.outcome()
			for x, v := range c.result {
				if values[x] != v {
					return
				}
			}
			if !g.Consistent(c.model) {
				return
			}
			if got := fmt.Sprint(g.ForbiddingPair(c.model)); got != c.want {
				t.Errorf("%s under %v: %s instead of %s", c.name, c.model, got, c.want)
			}
		})
	}
}

// commas returns what forbids a graph as text.
func (g *Graph) commas(m Model) string {
	s := "["
	for i, c := range g.Forbidding(m) {
		if i > 0 {
			s += ", "
		}
		s += c.String()
	}
	return s + "]"
}

// TestChanges makes all changes of random graphs: they are well-formed, and never is a graph consistent that was not; and if one forbids the graph, Forbidding has it or a weaker one.
func TestChanges(t *testing.T) {
	forbidding := 0
	forGraphs(t, *graphs/4, func(_ *rand.Rand, g *grower) {
		for _, m := range allModels {
			before, list := g.Consistent(m), []Change(nil)
			if before {
				list = g.Forbidding(m)
			}
			for _, c := range g.changes() {
				h := g.With(c)
				if err := h.Check(); err != nil {
					t.Fatalf("%v: %v: %+v", c, err, g.Graph)
				}
				after := h.Consistent(m)
				if after && !before {
					t.Fatalf("%v: consistent when %v: %+v", m, c, g.Graph)
				}
				listed := slices.ContainsFunc(list, func(k Change) bool {
					return k == c || k.Event == c.Event && k.Fence == c.Fence && stronger(c.Order, k.Order)
				})
				if before && listed == after {
					t.Fatalf("%v: %v: consistent is %v, listed is %v: %+v", m, c, after, listed, g.Graph)
				}
				if listed {
					forbidding++
				}
			}
		}
	})
	if forbidding == 0 {
		t.Error("no change forbids anything")
	}
	t.Log(forbidding)
}

func TestStronger(t *testing.T) {
	want := map[[2]cir.Order]bool{
		{rlx, cir.Plain}: true, {acq, cir.Plain}: true, {rel, cir.Plain}: true, {ar, cir.Plain}: true, {sc, cir.Plain}: true,
		{acq, rlx}: true, {rel, rlx}: true, {ar, rlx}: true, {sc, rlx}: true,
		{ar, acq}: true, {ar, rel}: true, {sc, acq}: true, {sc, rel}: true, {sc, ar}: true,
	}
	for a := cir.Plain; a <= cir.SeqCst; a++ {
		for b := cir.Plain; b <= cir.SeqCst; b++ {
			if stronger(a, b) != want[[2]cir.Order{a, b}] {
				t.Errorf("%v stronger than %v: %v", a, b, stronger(a, b))
			}
		}
	}
}
