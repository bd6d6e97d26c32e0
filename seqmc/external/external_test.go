package external_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"comus/ir"
	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/cbmc"
	"comus/seqmc/external"
	"comus/seqmc/spacer"
)

// random makes a small sequential program; loops are possible if cyclic is set.
func random(seed uint64, cyclic bool) *seqmc.Program {
	r := rand.New(rand.NewPCG(seed, 3))
	ip := ir.NewProgram("t")
	p := &seqmc.Program{L: ip.L, Name: fmt.Sprintf("random %d", seed)}
	for i, typ := range []ir.Type{{Bits: 32, Signed: true}, {Bits: 8}, {Bits: 1}, {Bits: 31}} {
		p.Vars = append(p.Vars, ip.NewVar([]string{"x", "y", "z", "pc"}[i], typ, ir.Shared))
	}
	l, x, y, z, pc := p.L, p.Vars[0], p.Vars[1], p.Vars[2], p.Vars[3]
	p.Init = l.And(l.Eq(x.Sym, l.Int(int64(r.IntN(3)))), l.Le(y.Sym, l.Int(4)))
	for _, v := range p.Vars {
		p.Init = l.And(p.Init, ip.InRange(v))
	}
	n := 4 + r.IntN(4)
	for i := range n {
		p.NewNode(fmt.Sprint("n", i))
	}
	p.Entry = p.Nodes[0]
	p.Nodes[n-1].Error = true
	cmd := func() ir.Cmd {
		k := l.Int(int64(r.IntN(6)))
		switch r.IntN(9) {
		case 0:
			return ir.AssumeCmd(l.Le(x.Sym, k))
		case 1:
			return ir.AssumeCmd(l.Eq(l.Add(x.Sym, y.Sym), k))
		case 2:
			return ir.AssignCmd(x, l.Sub(y.Sym, k))
		case 3:
			return ir.AssignCmd(y, l.Mod(l.Add(l.Mul(l.Int(3), x.Sym), k), l.Int(256)))
		case 4:
			return ir.HavocCmd(z, "")
		case 5:
			return ir.AssignCmd(z, l.BoolToInt(l.Lt(x.Sym, y.Sym)))
		case 6:
			return ir.AssumeCmd(l.Or(l.Le(pc.Sym, l.Int(int64(r.IntN(3)-2))), l.Ge(pc.Sym, l.Add(k, x.Sym))))
		case 7:
			return ir.AssignCmd(pc, l.Mod(l.Add(y.Sym, k), l.Int(1<<31)))
		}
		return ir.AssumeCmd(l.Eq(z.Sym, l.Int(int64(r.IntN(2)))))
	}
	for i, node := range p.Nodes[:n-1] {
		for range 1 + r.IntN(2) {
			to := min(i+1+r.IntN(2), n-1)
			if cyclic && r.IntN(4) == 0 {
				to = r.IntN(i + 1)
			}
			var cmds []ir.Cmd
			for range 1 + r.IntN(3) {
				cmds = append(cmds, cmd())
			}
			p.NewEdge(node, p.Nodes[to], "e", cmds)
		}
	}
	return p
}

// TestCBMC compares CBMC with Spacer: both decide loop-free programs, and a path that
// CBMC gives is one.
func TestCBMC(t *testing.T) {
	if _, err := exec.LookPath("cbmc"); err != nil {
		t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
	}
	own := &spacer.Checker{Ranges: true}
	counts := map[seqmc.Verdict]int{}
	for seed := range uint64(24) {
		p := random(seed, seed%3 == 0)
		want, err := own.Check(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		c := &external.Checker{Tool: &cbmc.Tool{MaxUnwind: 8}, Evidence: own}
		got, err := c.Check(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		counts[got.Verdict]++
		switch {
		case got.Verdict != want.Verdict && want.Verdict != seqmc.Unknown:
			text, _ := external.Text(p, cgen.CBMC)
			t.Errorf("seed %d: CBMC says %v (%s), Spacer %v\n%s", seed, got.Verdict, got.Reason, want.Verdict, text)
		case got.Verdict == seqmc.Unsafe && (len(got.Path) == 0 || !got.Path[len(got.Path)-1].To.Error):
			t.Errorf("seed %d: the path does not lead to an error", seed)
		case got.Verdict == seqmc.Unsafe && !feasible(t, own, p, got.Path):
			t.Errorf("seed %d: the path is not feasible", seed)
		case got.Verdict == seqmc.Safe && len(got.Invariants) == 0:
			t.Errorf("seed %d: no invariants", seed)
		}
	}
	t.Log(counts)
	if counts[seqmc.Safe] == 0 || counts[seqmc.Unsafe] == 0 {
		t.Errorf("not all verdicts occurred: %v", counts)
	}
}

// feasible reports whether a path can be taken: it is a program of its own.
func feasible(t *testing.T, own seqmc.Checker, p *seqmc.Program, path []*seqmc.Edge) bool {
	q := &seqmc.Program{L: p.L, Name: "path", Vars: p.Vars, Init: p.Init}
	q.Entry = q.NewNode("start")
	at := q.Entry
	for _, e := range path {
		next := q.NewNode(e.To.Name)
		next.Error = e.To.Error
		q.NewEdge(at, next, e.Text, e.Cmds)
		at = next
	}
	r, err := own.Check(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict == seqmc.Unsafe
}

// TestText compiles programs for all targets.
func TestText(t *testing.T) {
	for seed := range uint64(12) {
		text, err := external.Text(random(seed, true), cgen.Target(seed%3))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("gcc", "-std=c99", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", "-")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, text)
		}
	}
}

// fake answers what it is told.
type fake struct{ external.Answer }

func (fake) Name() string                                           { return "fake" }
func (fake) Target() cgen.Target                                    { return cgen.Generic }
func (f fake) Run(context.Context, string) (external.Answer, error) { return f.Answer, nil }

// TestEvidence gives wrong and incomplete answers.
func TestEvidence(t *testing.T) {
	var safe, unsafe *seqmc.Program
	own := &spacer.Checker{Ranges: true}
	for seed := uint64(0); safe == nil || unsafe == nil; seed++ {
		p := random(seed, false)
		switch r, _ := own.Check(t.Context(), p); r.Verdict {
		case seqmc.Safe:
			safe = p
		case seqmc.Unsafe:
			if len(p.Entry.Out) > 1 { // a path begins with a choice
				unsafe = p
			}
		}
	}
	for _, tt := range []struct {
		name   string
		p      *seqmc.Program
		answer external.Answer
		want   seqmc.Verdict
		reason string
	}{
		{"safe", safe, external.Answer{Verdict: seqmc.Safe}, seqmc.Safe, ""},
		{"unsafe", unsafe, external.Answer{Verdict: seqmc.Unsafe}, seqmc.Unsafe, ""},
		{"wrongly safe", unsafe, external.Answer{Verdict: seqmc.Safe}, seqmc.Unknown, "fake says SAFE, but spacer UNSAFE"},
		{"wrongly unsafe", safe, external.Answer{Verdict: seqmc.Unsafe}, seqmc.Unknown, "fake says UNSAFE, but spacer SAFE"},
		{"no such edge", unsafe, external.Answer{Verdict: seqmc.Unsafe, Choices: []int64{99, 99, 99}}, seqmc.Unknown, "chooses edge 99"},
		{"safe within bounds", safe, external.Answer{Reason: "loops", Bounded: true}, seqmc.Safe, ""},
		{"unsafe beyond bounds", unsafe, external.Answer{Reason: "loops", Bounded: true}, seqmc.Unsafe, ""},
		{"unknown", safe, external.Answer{Reason: "out of time"}, seqmc.Unknown, "fake: out of time"},
	} {
		c := &external.Checker{Tool: fake{tt.answer}, Evidence: own}
		got, err := c.Check(t.Context(), tt.p)
		if err != nil || got.Verdict != tt.want || !strings.Contains(got.Reason, tt.reason) {
			t.Errorf("%s: %v (%s), %v", tt.name, got.Verdict, got.Reason, err)
		}
	}
}

// TestFollow walks paths.
func TestFollow(t *testing.T) {
	p := &seqmc.Program{}
	a, b, e := p.NewNode("a"), p.NewNode("b"), p.NewNode("e")
	p.Entry, e.Error = a, true
	p.NewEdge(a, a, "", nil)
	to := p.NewEdge(a, b, "", nil)
	fail := p.NewEdge(b, e, "", nil)
	path, err := external.Follow(p, []int64{0, 1})
	if err != nil || len(path) != 3 || path[1] != to || path[2] != fail {
		t.Errorf("%v, %v", path, err)
	}
	if _, err := external.Follow(p, []int64{0, 0}); err == nil {
		t.Error("a path that ends early was accepted")
	}
}

// TestCommand runs a command that is not there, and one that does not end.
func TestCommand(t *testing.T) {
	_, err := external.Command(t.Context(), t.TempDir(), "buy it", "no-such-verifier")
	if err == nil || err.Error() != `there is no command "no-such-verifier" on the PATH (buy it)` {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := external.Command(ctx, t.TempDir(), "", "sh", "-c", "sleep 60 & sleep 60"); err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
