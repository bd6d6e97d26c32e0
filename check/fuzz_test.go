package check_test

import (
	"testing"

	"comus/check"
	"comus/ir"
)

// safePrograms are seeds of random programs that are safe.
var safePrograms = []uint64{169, 245, 40, 24, 175, 229}

// mutants calls f with variations of the random program of a seed: one command
// dropped, changed or negated, or one location no longer atomic.
func mutants(seed uint64, f func(p *ir.Program)) {
	for n := 0; ; n++ {
		p := check.RandomProgram(seed)
		k := n
		take := func() bool { k--; return k == -1 }
		found := false
		for _, t := range p.Threads {
			for _, l := range t.Locs {
				if l.Atomic && take() {
					l.Atomic, found = false, true
				}
				for _, e := range l.Out {
					for i := range e.Cmds {
						found = mutate(p, e, i, take) || found
					}
				}
			}
		}
		if !found {
			return
		}
		f(p)
	}
}

// mutate changes command i of an edge in the way for which take says so.
func mutate(p *ir.Program, e *ir.Edge, i int, take func() bool) bool {
	c := &e.Cmds[i]
	switch {
	case take():
		*c = ir.AssumeCmd(p.L.True())
	case c.Kind == ir.Assume && take():
		c.Cond = p.L.Not(c.Cond)
	case c.Kind == ir.Assign && take():
		*c = ir.HavocCmd(c.Var, "")
	case c.Kind == ir.Assign && take():
		*c = ir.AssignCmd(c.Var, p.L.Int(1))
	default:
		return false
	}
	return true
}

// TestMutatedPrograms uses certificates of safe programs for programs that are a
// little different and not safe.
func TestMutatedPrograms(t *testing.T) {
	seeds := safePrograms
	if testing.Short() {
		seeds = seeds[:4]
	}
	proved, unsafe, safe := 0, 0, 0
	for _, seed := range seeds {
		p := check.RandomProgram(seed)
		c := certify(t, p, seed%2 == 0)
		if c == nil {
			t.Logf("seed %d: not proved", seed)
			continue
		}
		if err := check.Safe(t.Context(), p, c); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		proved++
		mutants(seed, func(m *ir.Program) {
			m.Renumber()
			if check.Safe(t.Context(), m, c) != nil {
				unsafe++
				return
			}
			safe++
			if failing := check.Explore(m, nil); len(failing) > 0 {
				t.Errorf("seed %d: accepted for a program whose threads %v can fail\n%s", seed, failing, m)
			}
		})
	}
	t.Logf("%d proofs; of the mutated programs %d rejected, %d accepted", proved, unsafe, safe)
}
