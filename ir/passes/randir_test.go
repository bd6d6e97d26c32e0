package passes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
	"comus/logic"
)

// randomIR makes threads with random edges between random locations, atomic ones
// among them, over two-bit variables: control flow that no C program has.
func randomIR(r *rand.Rand) *ir.Program {
	p := ir.NewProgram("random.c")
	var shared []*ir.Var
	newVar := func(name string, thread int) *ir.Var {
		v := p.NewVar(name, ir.Type{Bits: 1 + r.IntN(2)}, thread)
		if r.IntN(4) > 0 {
			v.Init = new(logic.Value)
		}
		return v
	}
	for i := range 1 + r.IntN(3) {
		shared = append(shared, newVar(fmt.Sprint("s", i), ir.Shared))
	}
	for i := range 1 + r.IntN(3) {
		t := p.NewThread("t")
		local := []*ir.Var{newVar(fmt.Sprint("l", i), i), newVar(fmt.Sprint("m", i), i)}
		for range 2 + r.IntN(5) {
			t.NewLoc(ir.Pos{}).Atomic = r.IntN(5) == 0
		}
		last := t.Locs[len(t.Locs)-1]
		if last.Error = r.IntN(3) > 0; last.Error {
			last.Atomic = false
		}
		for range 3 + r.IntN(8) {
			from := t.Locs[r.IntN(len(t.Locs)-1)]
			to := t.Locs[r.IntN(len(t.Locs))]
			vars := local
			if r.IntN(2) == 0 {
				vars = append(vars[:2:2], shared[r.IntN(len(shared))])
			}
			if v := vars[r.IntN(len(vars))]; r.IntN(4) == 0 { // a branch on all values
				other := t.Locs[r.IntN(len(t.Locs))]
				is := p.L.Eq(v.Sym, p.L.Int(r.Int64N(2)))
				t.NewEdge(from, to, ir.Pos{}, "", ir.AssumeCmd(is))
				t.NewEdge(from, other, ir.Pos{}, "", ir.AssumeCmd(p.L.Not(is)))
				continue
			}
			var cmds []ir.Cmd
			for range r.IntN(3) {
				cmds = append(cmds, randomCmd(r, p.L, vars))
			}
			t.NewEdge(from, to, ir.Pos{}, "", cmds...)
		}
	}
	return p
}

func randomCmd(r *rand.Rand, l *logic.Store, vars []*ir.Var) ir.Cmd {
	v, w := vars[r.IntN(len(vars))], vars[r.IntN(len(vars))]
	size := l.Int(1 << v.Type.Bits)
	switch r.IntN(8) {
	case 0:
		return ir.HavocCmd(v, "input")
	case 1, 2:
		return ir.AssumeCmd(l.Eq(v.Sym, l.Int(r.Int64N(2))))
	case 3:
		return ir.AssumeCmd(l.Le(v.Sym, w.Sym))
	case 4:
		return ir.AssignCmd(v, l.Int(r.Int64N(2)))
	case 5:
		return ir.AssignCmd(v, l.Ite(l.Eq(w.Sym, l.Int(0)), l.Int(1), l.Mod(v.Sym, size)))
	}
	return ir.AssignCmd(v, l.Mod(l.Add(w.Sym, l.Int(1)), size))
}

// TestRandomIR compares the verdicts before and after passes on random graphs.
func TestRandomIR(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 400
	}
	r := rand.New(rand.NewPCG(7, 11))
	verdicts := map[explore.Verdict]int{}
	changed := map[string]int{}
	for i := range n {
		p := randomIR(r)
		if err := p.Check(); err != nil {
			continue // a step too large
		}
		limit := explore.Options{MaxStates: 20_000}
		want := explored(t, p, limit).Verdict
		verdicts[want]++
		if want == explore.Unknown {
			continue
		}
		before := p.String()
		for _, names := range lists() {
			q := run(t, p, names...)
			if len(names) == 1 {
				again := append([]string{"dead"}, names...)
				if run(t, p, again...).Program.String() != run(t, p, "dead").Program.String() || names[0] == "dead" {
					changed[names[0]]++
				}
			}
			got := explored(t, q.Program, limit)
			if got.Limit && slices.Contains(names, passes.Webs) { // more variables hold old values, so there are more states
				continue
			}
			if got.Verdict != want {
				t.Fatalf("program %d, %v: %v instead of %v\nbefore:\n%s\nafter:\n%s", i, names, got.Verdict, want, p, q.Program)
			}
			if got.Verdict == explore.Unsafe {
				wellFormed(t, p, q, got.Schedule)
			}
		}
		if p.String() != before {
			t.Fatalf("program %d was changed", i)
		}
	}
	t.Log(verdicts, changed)
	for _, name := range passes.Names() {
		if changed[name] == 0 {
			t.Errorf("%s never did anything", name)
		}
	}
	if verdicts[explore.Safe] < n/10 || verdicts[explore.Unsafe] < n/10 {
		t.Errorf("not a good mixture: %v", verdicts)
	}
}

// wellFormed verifies that a lifted execution is a path of each thread.
func wellFormed(t *testing.T, p *ir.Program, r *passes.Result, s ir.Schedule) {
	t.Helper()
	at := map[int]*ir.Loc{}
	for _, th := range p.Threads {
		at[th.Index] = th.Entry
	}
	for _, st := range s.Steps {
		for _, e := range r.Lift([]*ir.Edge{st.Edge}) {
			if i := e.From.Thread.Index; i != st.Edge.From.Thread.Index || at[i] != e.From || p.Threads[i] != e.From.Thread {
				t.Fatalf("%s is lifted to %s, which does not start at %s", st.Edge, e, at[i])
			}
			at[e.From.Thread.Index] = e.To
		}
	}
}
