package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/logic"
)

// randomProgram makes threads with random edges between random locations, over
// two-bit variables some of which are uninitialised.
func randomProgram(r *rand.Rand) *ir.Program {
	b := newBuilder()
	threads := 1 + r.IntN(3)
	var shared []*ir.Var
	newVar := func(name string, thread int) *ir.Var {
		v := b.p.NewVar(name, ir.Type{Bits: 2}, thread)
		if r.IntN(3) > 0 {
			v.Init = new(logic.Value)
		}
		return v
	}
	for i := range 1 + r.IntN(2) {
		shared = append(shared, newVar(fmt.Sprint("s", i), ir.Shared))
	}
	for i := range threads {
		t := b.p.NewThread("t")
		vars := append([]*ir.Var{newVar(fmt.Sprint("l", i), i)}, shared...)
		for range 2 + r.IntN(4) {
			l := t.NewLoc(ir.Pos{})
			l.Atomic = r.IntN(5) == 0
		}
		last := t.Locs[len(t.Locs)-1]
		last.Error = r.IntN(2) == 0
		for range 3 + r.IntN(6) {
			from := t.Locs[r.IntN(len(t.Locs)-1)]
			var cs []ir.Cmd
			for range r.IntN(4) {
				cs = append(cs, b.randomCmd(r, vars))
			}
			t.NewEdge(from, t.Locs[r.IntN(len(t.Locs))], ir.Pos{}, "", cs...)
		}
	}
	return b.p
}

func (b *builder) randomCmd(r *rand.Rand, vars []*ir.Var) ir.Cmd {
	v, w := vars[r.IntN(len(vars))], vars[r.IntN(len(vars))]
	switch r.IntN(7) {
	case 5:
		return b.set(v, w.Sym)
	case 6:
		x := vars[r.IntN(len(vars))]
		return b.set(v, b.Ite(b.Or(b.Eq(x.Sym, b.Int(r.Int64N(4))), b.Le(w.Sym, v.Sym)), w.Sym, x.Sym))
	case 0:
		return ir.HavocCmd(v, "input")
	case 1:
		return b.is(v, r.Int64N(4))
	case 2:
		return ir.AssumeCmd(b.Le(v.Sym, w.Sym))
	case 3:
		return b.set(v, b.Int(r.Int64N(4)))
	}
	return b.set(v, b.Mod(b.Add(v.Sym, w.Sym, b.Int(r.Int64N(3))), b.Int(4)))
}

// shortest searches with package interp alone for the least number of steps to
// an error; -1 if there is none.
func shortest(t *testing.T, p *ir.Program) int {
	seen := map[string]bool{}
	var level []*interp.State
	reach := func(s *interp.State) {
		if key := fmt.Sprint(s.Locs, s.Vals); !seen[key] {
			seen[key] = true
			level = append(level, s)
		}
	}
	for _, init := range assignments(p.Vars, func(v *ir.Var) bool { return v.Init == nil }) {
		byIndex := map[int]logic.Value{}
		for i, v := range p.Vars {
			if v.Init == nil {
				byIndex[i] = init[i]
			}
		}
		s, err := interp.Initial(p, byIndex)
		if err != nil {
			t.Fatal(err)
		}
		reach(s)
	}
	for depth := 0; len(level) > 0; depth++ {
		now := level
		level = nil
		for _, s := range now {
			if s.AtError() != nil {
				return depth
			}
			for _, e := range interp.Enabled(p, s) {
				for _, inputs := range assignments(interp.Havocs(e), func(*ir.Var) bool { return true }) {
					if next, err := interp.Step(p, s, e, inputs); err == nil {
						reach(next)
					}
				}
			}
		}
	}
	return -1
}

// assignments returns all ways to give the chosen of vars two-bit values; the
// others are 0.
func assignments(vars []*ir.Var, choose func(*ir.Var) bool) [][]logic.Value {
	out := [][]logic.Value{nil}
	for _, v := range vars {
		values := int64(1)
		if choose(v) {
			values = 4
		}
		var longer [][]logic.Value
		for _, a := range out {
			for k := range values {
				longer = append(longer, append(a[:len(a):len(a)], logic.IntValue(k)))
			}
		}
		out = longer
	}
	return out
}

// TestExploreAgreesWithInterp compares the exploration with a naive search by
// the reference semantics.
func TestExploreAgreesWithInterp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	verdicts := map[explore.Verdict]int{}
	for range 400 {
		p := randomProgram(r)
		res, err := explore.Explore(context.Background(), p, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		verdicts[res.Verdict]++
		want := shortest(t, p)
		if got := len(res.Schedule.Steps); (res.Verdict == explore.Unsafe) != (want >= 0) || want >= 0 && got != want {
			t.Fatalf("%v with %d steps, want %d steps (-1: safe)\n%s", res.Verdict, got, want, p)
		}
	}
	if verdicts[explore.Safe] < 50 || verdicts[explore.Unsafe] < 50 {
		t.Errorf("verdicts %v: not a good mixture", verdicts)
	}
}
