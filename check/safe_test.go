package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"comus/ir"
	"comus/logic"
)

// built is a program with a certificate written by hand. The location indexes are
// those of creation: every location's edges lead to later ones.
type built struct {
	p *ir.Program
	c *Certificate
}

var int8s = ir.Type{Bits: 8}

func newVar(p *ir.Program, name string, thread int) *ir.Var {
	v := p.NewVar(name, int8s, thread)
	v.Init = new(logic.Value)
	return v
}

// chain adds to a thread one location after another, joined by edges with these
// commands, and returns the last.
func chain(t *ir.Thread, steps ...[]ir.Cmd) *ir.Loc {
	at := t.Entry
	for _, cmds := range steps {
		to := t.NewLoc(ir.Pos{})
		t.NewEdge(at, to, ir.Pos{}, "", cmds...)
		at = to
	}
	return at
}

func do(cmds ...ir.Cmd) []ir.Cmd { return cmds }

// fail adds an error location.
func fail(t *ir.Thread, from *ir.Loc, cond *logic.Term) {
	e := t.NewLoc(ir.Pos{})
	e.Error = true
	t.NewEdge(from, e, ir.Pos{}, "", ir.AssumeCmd(cond))
}

func inv(phase string, formulas ...string) []Invariant {
	var out []Invariant
	for i, f := range formulas {
		out = append(out, Invariant{i, phase, f})
	}
	return out
}

func locs(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out
}

// growing is a thread that reads x twice while another counts it up; the proof
// rests on facts and a seed.
func growing() *built {
	p := ir.NewProgram("growing")
	l := p.L
	x := newVar(p, "x", ir.Shared)
	r, s := newVar(p, "r", 0), newVar(p, "s", 0)
	t0, t1 := p.NewThread("reader"), p.NewThread("writer")
	fail(t0, chain(t0, do(ir.AssignCmd(r, x.Sym)), do(ir.AssignCmd(s, x.Sym))), l.Lt(s.Sym, r.Sym))
	chain(t1, do(ir.AssignCmd(x, l.Int(1))), do(ir.AssignCmd(x, l.Int(2))))
	return &built{p, &Certificate{Verdict: "SAFE",
		Threads: []Thread{{0, locs(3), locs(3)}, {1, locs(3), locs(3)}},
		Facts:   "(and (<= x 2) (=> (= pc1 0) (= x 0)) (=> (= pc1 1) (= x 1)))",
		Runs: []Run{{Order: []int{0, 1}, Levels: []Level{{Seed: "(<= old:x x)"}, {Seed: "true"}},
			Invariants: slices.Concat(inv(PhaseAt, "true", "(= r x)", "(<= r s)"), inv(PhaseMoved, "true", "(<= r x)", "(<= r s)"))}}}}
}

// relay has three threads: x gets what y was, y is never 3. The proof rests on a
// refinement at each of two levels.
func relay() *built {
	p := ir.NewProgram("relay")
	l := p.L
	x, y := newVar(p, "x", ir.Shared), newVar(p, "y", ir.Shared)
	r, a := newVar(p, "r", 0), newVar(p, "a", 1)
	t0, t1, t2 := p.NewThread("main"), p.NewThread("relay"), p.NewThread("source")
	fail(t0, chain(t0, do(ir.AssignCmd(y, l.Int(0))), do(ir.AssignCmd(r, x.Sym))), l.Eq(r.Sym, l.Int(3)))
	chain(t1, do(ir.AssignCmd(a, y.Sym)), do(ir.AssignCmd(x, a.Sym)))
	chain(t2, do(ir.AssignCmd(y, l.Int(1))), do(ir.AssignCmd(y, l.Int(2))))
	// a belongs to the level's environment, so its value counts, too.
	good, bad := "(and (not (= x 3)) (not (= y 3)) (not (= a 3)))", "(or (= x 3) (= y 3) (= a 3))"
	yGood := "(not (= y 3))"
	three := func(f string) []string { return []string{f, f, f} }
	r1 := Refinement{1, good, bad, slices.Concat(inv(PhaseBefore, three("true")...), inv(PhaseAt, three(good)...), inv(PhaseMoved, three(good)...))}
	r2 := Refinement{2, yGood, "(= y 3)", slices.Concat(inv(PhaseBefore, three("true")...), inv(PhaseAt, three(yGood)...))}
	ok := "(not (= r 3))"
	main := []string{good, good, ok}
	return &built{p, &Certificate{Verdict: "SAFE", Facts: "true",
		Threads: []Thread{{0, locs(3), locs(3)}, {1, locs(3), locs(3)}, {2, locs(3), locs(3)}},
		Runs: []Run{{Order: []int{0, 1, 2}, Levels: []Level{{"true", []Refinement{r1}}, {"true", []Refinement{r2}}, {Seed: "true"}},
			Invariants: slices.Concat(inv(PhaseAt, main...), inv(PhaseMoved, main...))}}}}
}

// locked has two threads that read and write x under a mutex; only the targets of
// the unlocking edges are cut-points.
func locked() *built {
	p := ir.NewProgram("locked")
	x, m := newVar(p, "x", ir.Shared), newVar(p, "m", ir.Shared)
	for i := range 2 {
		t := p.NewThread(fmt.Sprint("t", i))
		r := newVar(p, fmt.Sprint("r", i), i)
		me := p.L.Int(int64(i + 1))
		chain(t, do(ir.AssumeCmd(p.L.Eq(m.Sym, p.L.Int(0))), ir.AssignCmd(m, me)),
			do(ir.AssignCmd(r, x.Sym)), do(ir.AssignCmd(x, r.Sym)),
			do(ir.AssumeCmd(p.L.Eq(m.Sym, me)), ir.AssignCmd(m, p.L.Int(0))), do(ir.AssignCmd(r, p.L.Int(7))))
		t.Entry.Out[0].Kind, t.Entry.Out[0].Mutex = ir.Lock, m
	}
	return &built{p, &Certificate{Verdict: "SAFE", Facts: "true",
		Threads: []Thread{{0, []int{0, 4}, []int{0, 4}}, {1, []int{0, 4}, []int{0, 4}}}}}
}

// spawned is a thread that main starts, hands a value and joins.
func spawned() *built {
	p := ir.NewProgram("spawned")
	l := p.L
	created, ended := p.NewVar("created1", ir.Flag, ir.Shared), p.NewVar("ended1", ir.Flag, ir.Shared)
	created.Init, ended.Init = new(logic.Value), new(logic.Value)
	x := newVar(p, "x", ir.Shared)
	a := newVar(p, "a", 1)
	t0, t1 := p.NewThread("main"), p.NewThread("worker")
	t1.Created, t1.Ended = created, ended
	one := l.Int(1)
	end := chain(t0, do(ir.AssignCmd(x, l.Int(3))), do(ir.AssignCmd(created, one)), do(ir.AssumeCmd(l.Eq(ended.Sym, one))), do(ir.AssignCmd(x, l.Int(5))))
	fail(t0, end, l.Ne(x.Sym, l.Int(5)))
	chain(t1, do(ir.AssumeCmd(l.Eq(created.Sym, one))), do(ir.AssignCmd(a, x.Sym)), do(ir.AssignCmd(x, l.Int(4))), do(ir.AssignCmd(ended, one)))
	facts := "(and (=> (= pc0 0) (and (= pc1 0) (= created1 0))) (=> (= pc0 4) (and (= pc1 4) (= x 5))) (=> (<= pc1 3) (= ended1 0)))"
	return &built{p, &Certificate{Verdict: "SAFE", Facts: facts,
		Threads: []Thread{{0, []int{0, 2, 4}, []int{0, 2}}, {1, []int{0, 4}, []int{0, 4}}},
		Runs: []Run{{Order: []int{0, 1}, Levels: []Level{{Seed: "true"}, {Seed: "true"}},
			Invariants: slices.Concat(inv(PhaseAt, "true"), []Invariant{{2, PhaseAt, "true"}, {4, PhaseAt, "true"}}, inv(PhaseMoved, "true"), []Invariant{{2, PhaseMoved, "true"}})}}}}
}

func (b *built) level(i int) *Level           { return &b.c.Runs[0].Levels[i] }
func (b *built) refinement(i int) *Refinement { return &b.level(i).Refinements[0] }

// replace changes the invariant of a place, or drops it when f is "".
func replace(list *[]Invariant, loc int, phase, f string) {
	*list = slices.Clone(*list)
	for i, in := range *list {
		if in.Loc == loc && in.Phase == phase {
			if f == "" {
				*list = slices.Delete(*list, i, i+1)
			} else {
				(*list)[i].Formula = f
			}
			return
		}
	}
	panic("no such invariant")
}

var programs = map[string]func() *built{"growing": growing, "relay": relay, "locked": locked, "spawned": spawned}

func TestSafeAccepts(t *testing.T) {
	for name, f := range programs {
		b := f()
		if err := Safe(t.Context(), b.p, b.c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSafeRejects(t *testing.T) {
	tests := slices.Concat(shapeTests, factTests, proofTests, cutTests)
	for _, tt := range tests {
		b := programs[tt.program]()
		tt.change(b)
		err := Safe(t.Context(), b.p, b.c)
		if err == nil {
			t.Errorf("%s, %s: accepted", tt.program, tt.name)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: error %q, want %q", tt.program, tt.name, err, tt.want)
		}
	}
}

func TestSafeStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := growing()
	if err := Safe(ctx, b.p, b.c); err == nil {
		t.Error("accepted without checking")
	}
	if err := Safe(t.Context(), b.p, nil); err == nil {
		t.Error("accepted nothing")
	}
	if err := Safe(t.Context(), nil, b.c); err == nil {
		t.Error("accepted nothing about nothing")
	}
}
