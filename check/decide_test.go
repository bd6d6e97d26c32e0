package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/ir"
	"comus/logic"
	"comus/z3"
)

// counting is a program that is safe exactly if the last value is not what it fails for.
func counting(fails int64) *ir.Program {
	p := ir.NewProgram("p.c")
	p.Vars = []*ir.Var{{Name: "x", Sym: p.L.Var("x", logic.Int), Type: ir.Type{Bits: 32, Signed: true}, Thread: ir.Shared, Init: new(logic.Value)}}
	x, t := p.Vars[0], p.NewThread("main")
	a, b, bad := t.Entry, t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
	bad.Error = true
	t.NewEdge(a, b, ir.Pos{}, "", ir.HavocCmd(x, ""), ir.AssumeCmd(p.L.Eq(p.L.Mod(x.Sym, p.L.Int(4)), p.L.Int(2))))
	t.NewEdge(b, bad, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(p.L.Mod(x.Sym, p.L.Int(2)), p.L.Int(fails))))
	return p
}

// TestSecondSolver puts programs in the place of cvc5 that answer rightly, wrongly, not at
// all, or something else.
func TestSecondSolver(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		safe         string // who confirms a safe program, or the error's beginning
		unsafe       string // the same for one that is not
	}{
		{"none", "", "z3 (", "there is an execution"},
		{"unsat", "echo unsat", "cvc5", "*"}, // with the unsafe program the first one wins
		{"sat", "echo sat", "the solvers disagree", "there is an execution"},
		{"unknown", "echo unknown", "z3 (", "there is an execution"},
		{"garbage", "echo unsat; echo '(error \"no\")'", "z3 (", "there is an execution"},
		{"fails", "echo unsat; exit 1", "z3 (", "there is an execution"},
		{"dies", "kill -9 $$", "z3 (", "there is an execution"},
		{"sleeps", "sleep 600", "z3 (", "there is an execution"},
		{"reads the script", "grep -q '(check-sat)' $2 && echo unsat", "cvc5", "*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.script != "" {
				if err := os.WriteFile(filepath.Join(dir, "cvc5"), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				dir += ":/usr/bin:/bin"
			}
			t.Setenv("PATH", dir)
			start := time.Now()
			for fails, want := range []string{tt.unsafe, tt.safe} {
				solver, err := Orders(t.Context(), counting(int64(fails)), &Certificate{})
				if err != nil {
					solver = err.Error()
				}
				if want != "*" && !strings.HasPrefix(solver, want) {
					t.Errorf("%d: %s", fails, solver)
				}
			}
			if took := time.Since(start); took > 60*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestSettle gives answers in every order.
func TestSettle(t *testing.T) {
	failing := fmt.Errorf("fails")
	for _, tt := range []struct {
		z, c         z3.Status
		late         bool // cvc5 answers after Z3's time
		solver, want string
	}{
		{z3.Unsat, z3.Unsat, true, "z3", ""},
		{z3.Unsat, z3.Unknown, false, "z3", ""},
		{z3.Unsat, z3.Sat, false, "", "the solvers disagree"},
		{z3.Sat, z3.Unknown, false, "", "fails"},
		{z3.Sat, z3.Sat, false, "", "fails"},
		{z3.Unknown, z3.Unsat, false, "cvc5", ""},
		{z3.Unknown, z3.Sat, false, "", "fails"},
		{z3.Unknown, z3.Unknown, false, "", "fails"},
	} {
		own, other := make(chan verdict, 1), make(chan verdict, 1)
		own <- verdict{"z3", tt.z, failing}
		if !tt.late {
			other <- verdict{"cvc5", tt.c, failing}
		}
		solver, err := settle(t.Context(), own, other)
		if solver != tt.solver || (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v: %q, %v", tt, solver, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := settle(ctx, make(chan verdict), make(chan verdict)); err == nil {
		t.Error("it does not end with the context")
	}
}

// TestSMTLIB compares the meaning of a script with what package logic computes, for Z3,
// and for cvc5 if it is there.
func TestSMTLIB(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	l := logic.NewStore()
	x, y, b := l.Var("an odd name", logic.Int), l.Var("y|", logic.Int), l.Var("b", logic.Bool)
	terms := []*logic.Term{
		l.Add(x, l.Mul(l.Int(-3), y)), l.Mul(x, y), l.Div(x, y), l.Mod(x, y), l.Div(x, l.Int(-7)), l.Mod(x, l.Int(5)),
		l.Bits(logic.OpBitAnd, x, y), l.Bits(logic.OpBitOr, x, y), l.Bits(logic.OpBitXor, x, y),
		l.Shift(logic.OpShl, x, y), l.Shift(logic.OpShr, x, y),
		l.Ite(l.And(b, l.Lt(x, y)), x, l.Ite(l.Or(l.Not(b), l.Eq(x, y)), y, l.Int(9))),
	}
	for range 2 {
		for _, f := range terms {
			values := map[*logic.Term]logic.Value{x: logic.IntValue(r.Int64N(1<<20) - 1<<19), y: logic.IntValue(r.Int64N(9) - 3), b: logic.BoolValue(r.IntN(2) == 0)}
			want := l.Value(logic.Eval(f, func(s *logic.Term) logic.Value { return values[s] }))
			known := []*logic.Term{l.Eq(x, l.Value(values[x])), l.Eq(y, l.Value(values[y])), l.Iff(b, l.Bool(values[b].Bool()))}
			for equal, status := range []z3.Status{z3.Unsat, z3.Sat} {
				goal := l.Eq(f, want)
				if equal == 0 {
					goal = l.Not(goal)
				}
				formulas := append(known[:3:3], goal)
				if st := scriptInZ3(t, formulas); st != status {
					t.Errorf("%v: z3 says %v", formulas, st)
				}
				if _, err := exec.LookPath("cvc5"); err == nil {
					if v := askCVC5(t.Context(), formulas); v.status != status && v.status != z3.Unknown {
						t.Errorf("%v: cvc5 says %v", formulas, v.status)
					}
				}
			}
		}
	}
}

// scriptInZ3 gives a script to Z3.
func scriptInZ3(t *testing.T, formulas []*logic.Term) z3.Status {
	t.Helper()
	var text strings.Builder
	if err := writeSMTLIB(&text, formulas); err != nil {
		t.Fatal(err)
	}
	c, err := z3.NewContext(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	parsed, err := c.ParseSMTLIB2(text.String(), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	s := c.NewSolver()
	s.Assert(parsed...)
	st, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}
