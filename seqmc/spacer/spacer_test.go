package spacer

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/seqmc"
	"comus/wp"
	"comus/z3"
)

type builder struct {
	*seqmc.Program
	ir *ir.Program
}

func newBuilder() *builder {
	p := ir.NewProgram("t")
	return &builder{&seqmc.Program{L: p.L, Init: p.L.True(), Name: "test"}, p}
}

func (b *builder) variable(name string, bits int) *ir.Var {
	v := b.ir.NewVar(name, ir.Type{Bits: bits, Signed: bits > 1}, ir.Shared)
	b.Vars = append(b.Vars, v)
	return v
}

func (b *builder) nodes(n int) []*seqmc.Node {
	var ns []*seqmc.Node
	for i := range n {
		ns = append(ns, b.NewNode(string(rune('a'+i))))
	}
	b.Entry = ns[0]
	ns[n-1].Error = true
	return ns
}

// counter is i = 0; j = 0; while (i < n) { i++; j += 2; } assert(j == 2 * i).
func counter(wrong bool) *seqmc.Program {
	b := newBuilder()
	l := b.L
	i, j, n := b.variable("i", 32), b.variable("j", 32), b.variable("n", 32)
	ns := b.nodes(3)
	b.NewEdge(ns[0], ns[1], "init", []ir.Cmd{ir.AssignCmd(i, l.Int(0)), ir.AssignCmd(j, l.Int(0)), ir.HavocCmd(n, "")})
	b.NewEdge(ns[1], ns[1], "loop", []ir.Cmd{ir.AssumeCmd(l.Lt(i.Sym, n.Sym)), ir.AssignCmd(i, l.Add(i.Sym, l.Int(1))), ir.AssignCmd(j, l.Add(j.Sym, l.Int(2)))})
	bad := l.Ne(j.Sym, l.Mul(l.Int(2), i.Sym))
	if wrong {
		bad = l.Eq(j.Sym, l.Int(6))
	}
	b.NewEdge(ns[1], ns[2], "fail", []ir.Cmd{ir.AssumeCmd(l.Ge(i.Sym, n.Sym)), ir.AssumeCmd(bad)})
	return b.Program
}

func TestSafeHasInductiveInvariants(t *testing.T) {
	p := counter(false)
	r, err := (&Checker{}).Check(context.Background(), p)
	if err != nil || r.Verdict != seqmc.Safe {
		t.Fatalf("%v %v", r, err)
	}
	s, err := smt.NewSolver(p.L)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, e := range p.Edges {
		x := wp.NewExec(p.L, true)
		x.Assume(r.Invariants[e.From])
		x.Run(e.Cmds)
		goal := p.L.False()
		if !e.To.Error {
			goal = x.Value(r.Invariants[e.To])
		}
		if ok, err := s.Valid(context.Background(), p.L.Implies(x.Condition(), goal)); !ok || err != nil {
			t.Errorf("edge %s does not keep the invariants: %v", e.Text, err)
		}
	}
}

func TestUnsafeHasAPath(t *testing.T) {
	p := counter(true)
	r, err := (&Checker{}).Check(context.Background(), p)
	if err != nil || r.Verdict != seqmc.Unsafe {
		t.Fatalf("%v %v", r, err)
	}
	var texts []string
	x := wp.NewExec(p.L, true)
	for _, e := range r.Path {
		texts = append(texts, e.Text)
		x.Run(e.Cmds)
	}
	if len(texts) != 5 || texts[0] != "init" || texts[3] != "loop" || texts[4] != "fail" {
		t.Errorf("path %v", texts)
	}
	s, err := smt.NewSolver(p.L)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if st, _, err := s.Check(context.Background(), x.Cond...); st != z3.Sat {
		t.Errorf("the path is %v: %v", st, err)
	}
}

// TestApproximation: x & 1 is an arbitrary value to Spacer, so a program that
// needs its meaning is not proved, and one that does not is.
func TestApproximation(t *testing.T) {
	for _, needs := range []bool{false, true} {
		b := newBuilder()
		l := b.L
		x, y := b.variable("x", 32), b.variable("y", 32)
		ns := b.nodes(3)
		b.NewEdge(ns[0], ns[1], "", []ir.Cmd{ir.AssignCmd(y, l.Bits(logic.OpBitAnd, x.Sym, l.Int(6)))})
		bad := l.And(l.Le(y.Sym, l.Int(-1)), l.Le(l.Int(1), y.Sym))
		if needs {
			bad = l.Eq(y.Sym, l.Int(7))
		}
		b.NewEdge(ns[1], ns[2], "", []ir.Cmd{ir.AssumeCmd(bad)})
		r, err := (&Checker{}).Check(context.Background(), b.Program)
		if err != nil || (r.Verdict == seqmc.Safe) == needs {
			t.Errorf("needs the meaning: %v: %v %v", needs, r.Verdict, err)
		}
	}
}

// TestRanges: a havocked int is bounded only where ranges are asked for.
func TestRanges(t *testing.T) {
	for _, ranges := range []bool{false, true} {
		b := newBuilder()
		x := b.variable("x", 32)
		ns := b.nodes(3)
		b.NewEdge(ns[0], ns[1], "", []ir.Cmd{ir.HavocCmd(x, "")})
		b.NewEdge(ns[1], ns[2], "", []ir.Cmd{ir.AssumeCmd(b.L.Gt(x.Sym, b.L.Int(1<<31)))})
		r, err := (&Checker{Ranges: ranges}).Check(context.Background(), b.Program)
		if err != nil || (r.Verdict == seqmc.Safe) != ranges {
			t.Errorf("ranges %v: %v %v", ranges, r.Verdict, err)
		}
	}
}

// TestTasksBesideEachOther: tasks written down before any runs can run at the same
// time; run with -race.
func TestTasksBesideEachOther(t *testing.T) {
	ctx := context.Background()
	var tasks []seqmc.Task
	for i := range 4 {
		task := (&Checker{}).Prepare(counter(i%2 == 1))
		defer task.Close()
		tasks = append(tasks, task)
	}
	var wg sync.WaitGroup
	for _, task := range tasks {
		wg.Go(func() { task.Run(ctx) })
	}
	wg.Wait()
	for i, task := range tasks {
		r, err := task.Result(ctx)
		if err != nil || (r.Verdict == seqmc.Unsafe) != (i%2 == 1) || r.Verdict == seqmc.Unknown {
			t.Errorf("task %d: %v %v", i, r.Verdict, err)
		}
	}
}

// TestRace: rivals give the same answers, and end with the race.
func TestRace(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		for _, c := range []*Checker{{Patience: time.Nanosecond}, {Alone: true}, {}} {
			r, err := c.Check(context.Background(), counter(wrong))
			if err != nil || (r.Verdict == seqmc.Unsafe) != wrong || r.Verdict == seqmc.Unknown {
				t.Errorf("wrong %v, patience %v, alone %v: %v %v", wrong, c.Patience, c.Alone, r.Verdict, err)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	for _, c := range []*Checker{{}, {Alone: true}, {Patience: 50 * time.Millisecond}} {
		testCancel(t, c)
	}
}

func TestLuby(t *testing.T) {
	for i, want := range []uint32{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1} {
		if got := luby(uint32(i + 1)); got != want {
			t.Errorf("luby(%d) = %d, want %d", i+1, got, want)
		}
	}
}

func testCancel(t *testing.T, c *Checker) {
	t.Helper()
	b := newBuilder() // the sums have no easy invariant: runs until stopped
	l := b.L
	x, y, z := b.variable("x", 64), b.variable("y", 64), b.variable("z", 64)
	ns := b.nodes(3)
	b.NewEdge(ns[0], ns[1], "", []ir.Cmd{ir.AssignCmd(x, l.Int(0)), ir.AssignCmd(y, l.Int(1)), ir.AssignCmd(z, l.Int(0))})
	b.NewEdge(ns[1], ns[1], "", []ir.Cmd{ir.AssignCmd(x, l.Add(x.Sym, y.Sym)), ir.AssignCmd(y, l.Add(x.Sym, y.Sym)), ir.AssignCmd(z, l.Add(z.Sym, l.Int(1)))})
	b.NewEdge(ns[1], ns[2], "", []ir.Cmd{ir.AssumeCmd(l.And(l.Eq(l.Mod(x.Sym, l.Int(10007)), l.Int(5003)), l.Ge(z.Sym, l.Int(30))))})
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err := c.Check(ctx, b.Program)
	if err == nil && r.Verdict == seqmc.Unknown {
		t.Errorf("no error after %v", time.Since(start))
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("stopped after %v", d)
	}
}
