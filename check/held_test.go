package check

import (
	"testing"

	"comus/ir"
	"comus/logic"
)

// twoUnderLock returns a program with two threads that each set x to their own number while they hold a lock, and assert it. The
// second one first does what is given.
func twoUnderLock(before func(p *ir.Program, m *ir.Var, own *logic.Term) []ir.Cmd) *ir.Program {
	p := ir.NewProgram("p")
	zero := logic.IntValue(0)
	m, x := p.NewVar("m", ir.Type{Bits: 32, Signed: true}, ir.Shared), p.NewVar("x", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	m.Init, x.Init, m.Holder = &zero, &zero, ir.OneThread
	for i := range 2 {
		t := p.NewThread("f")
		own := p.L.Int(int64(i + 1))
		taken, set, bad, end := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
		bad.Error = true
		take := []ir.Cmd{ir.AssumeCmd(p.L.Eq(m.Sym, p.L.Int(0))), ir.AssignCmd(m, own)}
		if i == 1 {
			take = append(before(p, m, own), take...)
		}
		t.NewEdge(t.Entry, taken, ir.Pos{}, "lock", take...)
		t.NewEdge(taken, set, ir.Pos{}, "x = own", ir.AssignCmd(x, own))
		t.NewEdge(set, bad, ir.Pos{}, "fail", ir.AssumeCmd(p.L.Ne(x.Sym, own)))
		t.NewEdge(set, end, ir.Pos{}, "unlock", ir.AssumeCmd(p.L.Eq(x.Sym, own)), ir.AssumeCmd(p.L.Eq(m.Sym, own)), ir.AssignCmd(m, p.L.Int(0)))
	}
	p.Renumber()
	return p
}

// TestHeldLocks takes a proof that says nothing of who holds the lock: it is one if the lock is one.
func TestHeldLocks(t *testing.T) {
	for name, tt := range map[string]struct {
		before func(p *ir.Program, m *ir.Var, own *logic.Term) []ir.Cmd
		want   bool
	}{
		"a lock": {func(*ir.Program, *ir.Var, *logic.Term) []ir.Cmd { return nil }, true},
		"freed by anybody": {func(p *ir.Program, m *ir.Var, _ *logic.Term) []ir.Cmd {
			return []ir.Cmd{ir.AssignCmd(m, p.L.Int(0))}
		}, false},
		"freed after it was changed": {func(p *ir.Program, m *ir.Var, own *logic.Term) []ir.Cmd {
			return []ir.Cmd{ir.AssignCmd(m, own), ir.AssumeCmd(p.L.Eq(m.Sym, own)), ir.AssignCmd(m, p.L.Int(0))}
		}, false},
		"taken though it is not free": {func(_ *ir.Program, m *ir.Var, own *logic.Term) []ir.Cmd {
			return []ir.Cmd{ir.AssignCmd(m, own), ir.HavocCmd(m, "")}
		}, false},
	} {
		p := twoUnderLock(tt.before)
		cert := &Certificate{Verdict: "SAFE", Parametric: &ParametricProof{Size: 1}}
		for i, th := range p.Threads {
			var nodes []int
			for _, l := range th.Locs {
				if l.Error {
					continue
				}
				nodes = append(nodes, l.Index)
				f := "true"
				if len(l.Out) == 2 { // x has been set
					f = p.L.Eq(p.Vars[1].Sym, p.L.Int(int64(i+1))).SMTLIB()
				}
				cert.Parametric.Invariants = append(cert.Parametric.Invariants, ParametricInvariant{At: []At{{i, l.Index}}, Formula: f})
			}
			cert.Threads = append(cert.Threads, Thread{Thread: i, Nodes: nodes, Cuts: nodes})
		}
		if err := Parametric(t.Context(), p, cert); (err == nil) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
