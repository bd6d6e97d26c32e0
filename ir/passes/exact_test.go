package passes_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/check"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/ir/passes"
	"comus/logic"
)

// blur makes some steps approximations: some of those with havocs, which are then about the
// values, and a few others.
func blur(r *rand.Rand, p *ir.Program) {
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			if e.Chooses() && r.IntN(4) > 0 || !e.Chooses() && r.IntN(12) == 0 {
				e.Approx = "a"
			}
		})
	}
}

// sharpen returns a program that p may be an approximation of: a havoc gives some value, and a
// step that the program may not take is there or not.
func sharpen(r *rand.Rand, p *ir.Program) *ir.Program {
	res, err := passes.Run(p, nil) // a copy
	if err != nil {
		panic(err)
	}
	for _, t := range res.Program.Threads {
		for _, l := range t.Locs {
			for _, e := range append([]*ir.Edge{}, l.Out...) {
				if e.Approx == "" {
					continue
				}
				if e.Doubtful() && r.IntN(2) == 0 {
					e.Cmds = []ir.Cmd{ir.AssumeCmd(p.L.False())}
				}
				for i, c := range e.Cmds {
					if c.Kind == ir.Havoc {
						e.Cmds[i] = ir.AssignCmd(c.Var, p.L.Int(r.Int64N(1<<c.Var.Type.Bits)))
					}
				}
			}
		}
	}
	return res.Program
}

// certified asks the checker about an execution.
func certified(p *ir.Program, s ir.Schedule) error {
	_, err := check.Unsafe(p, &check.Certificate{Verdict: "UNSAFE", Schedule: check.NewSchedule(p, s)})
	return err
}

// ofApproximated returns the execution that one of the exact program stands for.
func ofApproximated(r *passes.Result, s ir.Schedule, vars int) ir.Schedule {
	out := ir.Schedule{Init: map[int]logic.Value{}}
	for i, k := range s.Init {
		if i < vars {
			out.Init[i] = k
		}
	}
	for _, st := range s.Steps {
		e := r.Origin[st.Edge][0]
		if e.Approx != "" {
			st.Inputs = make([]logic.Value, len(interp.Havocs(e)))
		}
		out.Steps = append(out.Steps, ir.Step{Edge: e, Inputs: st.Inputs})
	}
	return out
}

// TestExact compares the exact program with the checker, which finds out by itself whether an
// execution depends on an approximation, and with programs that the approximations may be of:
// a violation of the exact program is one of all of them.
func TestExact(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	r := rand.New(rand.NewPCG(3, 5))
	found := map[string]int{}
	limit := explore.Options{MaxStates: 20_000}
	for i := range n {
		p := randomIR(r)
		if p.Check() != nil {
			continue
		}
		blur(r, p)
		if len(p.Approximations()) == 0 {
			continue
		}
		x, err := passes.Exact(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Program.CheckStructure(); err != nil {
			t.Fatalf("%v\n%s", err, x.Program)
		}
		whole, exact := explored(t, p, limit), explored(t, x.Program, limit)
		if whole.Verdict == explore.Unknown || exact.Verdict == explore.Unknown {
			continue
		}
		in := (*check.Inexact)(nil)
		switch exact.Verdict {
		case explore.Unsafe:
			found["exact"]++
			if err := certified(p, ofApproximated(x, exact.Schedule, len(p.Vars))); err != nil {
				t.Fatalf("program %d: %v\n%s\nexact:\n%s", i, err, p, x.Program)
			}
			for range 10 {
				if q := sharpen(r, p); explored(t, q, limit).Verdict == explore.Safe {
					t.Fatalf("program %d: the violation is none of\n%s\napproximated:\n%s", i, q, p)
				}
			}
		case explore.Safe:
			if whole.Verdict == explore.Safe {
				found["none"]++
				break
			}
			found["suspected"]++
			if err := certified(p, whole.Schedule); !errors.As(err, &in) {
				t.Fatalf("program %d: the violation is exact, but there is none without approximations: %v\n%s\n%s", i, err, p, x.Program)
			}
		}
		for _, names := range lists() {
			q, err := passes.Run(x.Program, names)
			if err != nil {
				t.Fatal(err)
			}
			got := explored(t, q.Program, limit)
			if got.Limit && slices.Contains(names, passes.Webs) { // more variables hold old values, so there are more states
				continue
			}
			if got.Verdict != exact.Verdict {
				t.Fatalf("program %d, %v: %v", i, names, got.Verdict)
			}
		}
	}
	t.Log(found)
	for _, what := range []string{"exact", "none", "suspected"} {
		if found[what] < n/50 {
			t.Errorf("not a good mixture: %v", found)
		}
	}
}

// chain returns a program of one thread whose steps follow one another, the last to an error.
func chain(p *ir.Program, steps ...[]ir.Cmd) []*ir.Edge {
	t := p.NewThread("main")
	var out []*ir.Edge
	at := t.Entry
	for _, cmds := range steps {
		to := t.NewLoc(ir.Pos{})
		out = append(out, t.NewEdge(at, to, ir.Pos{}, "", cmds...))
		at = to
	}
	at.Error = true
	return out
}

// TestNames: an edge that stands for several keeps the names of all approximations; one that
// chose values which nobody reads loses its own; and steps that the program may not take stay
// apart from those that choose.
func TestNames(t *testing.T) {
	p := ir.NewProgram("p.c")
	x, y := p.NewVar("x", ir.Type{Bits: 8}, 0), p.NewVar("y", ir.Type{Bits: 8}, 0)
	is := func(v *ir.Var) []ir.Cmd { return []ir.Cmd{ir.AssumeCmd(p.L.Eq(v.Sym, p.L.Int(1)))} }
	any := func(v *ir.Var) []ir.Cmd { return []ir.Cmd{ir.HavocCmd(v, "")} }
	es := chain(p, any(x), any(y), is(x), is(y), any(y), nil)
	for i, name := range []string{"one", "two", "", "", "unread", "doubtful"} {
		es[i].Approx = name
	}
	names := func(list ...string) []string {
		var out []string
		for _, a := range run(t, p, list...).Program.Approximations() {
			out = append(out, a.Name)
		}
		return out
	}
	for _, tt := range []struct {
		passes, want []string
	}{
		{nil, []string{"one", "two", "unread", "doubtful"}},
		{[]string{"merge"}, []string{"one; two; unread", "doubtful"}},
		{[]string{"dead"}, []string{"one", "two", "doubtful"}},
		{[]string{"slice", "dead", "merge"}, []string{"one; two", "doubtful"}},
	} {
		got := names(tt.passes...)
		if len(got) != len(tt.want) {
			t.Errorf("%v: %q instead of %q", tt.passes, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%v: %q instead of %q", tt.passes, got, tt.want)
			}
		}
	}
	q := run(t, p, "dead", "merge")
	var all []*ir.Edge
	q.Program.Threads[0].Edges(func(e *ir.Edge) { all = append(all, e) })
	if lifted := q.Lift(all); len(lifted) != len(es) || lifted[0] != es[0] || lifted[5].Approx != "doubtful" {
		t.Errorf("lifted: %v", lifted)
	}
}
