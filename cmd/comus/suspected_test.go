package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"comus/comus"
	"comus/ir"
)

// suspicious returns the result for a program with a violation that depends on an unknown value,
// and passes another one that nobody reads.
func suspicious(t *testing.T) *report {
	t.Helper()
	at := func(line int) ir.Pos { return ir.Pos{File: "f.c", Line: line, Col: 3} }
	p := ir.NewProgram("f.c")
	main := p.NewThread("main")
	typ := ir.Type{Bits: 32, Signed: true}
	tmp, n, errno := p.NewVar("t0.tmp", typ, 0), p.NewVar("n", typ, 0), p.NewVar("errno", typ, 0)
	tmp.Source = ""
	l1, l2, l3, bad := main.NewLoc(at(6)), main.NewLoc(at(7)), main.NewLoc(at(7)), main.NewLoc(at(12))
	bad.Error, bad.Text = true, "assert(n != 5)"
	main.NewEdge(main.Entry, l1, at(6), "puts(s)", ir.HavocCmd(errno, "")).Approx = "call of unknown function puts"
	main.NewEdge(l1, l2, at(7), "", ir.HavocCmd(tmp, "")).Approx = "call of unknown function g"
	main.NewEdge(l2, l3, at(7), "n = g()", ir.AssignCmd(n, tmp.Sym))
	main.NewEdge(l3, bad, at(12), "!(n != 5)", ir.AssumeCmd(p.L.Eq(n.Sym, p.L.Int(5))))
	res, err := comus.VerifyProgram(t.Context(), p, comus.Options{NoSimulate: true})
	if err != nil || res.Suspected == nil {
		t.Fatalf("%+v, %v", res, err)
	}
	return &report{file: "f.c", title: "f.c", res: res}
}

// TestSuspectedText shows the execution and what it depends on.
func TestSuspectedText(t *testing.T) {
	r := suspicious(t)
	var b bytes.Buffer
	r.text(&b)
	if want := "f.c: not decided; an assertion may fail: f.c:12:3: assert(n != 5) fails, in an execution that would need call of unknown function g (f.c:7:3), and was not found in runs of the program (hint: --verbose shows its steps)\n"; !strings.HasPrefix(b.String(), want) ||
		strings.Contains(b.String(), "n = g()") {
		t.Errorf("not one line:\n%s", &b)
	}
	b.Reset()
	r.verbose = true
	r.text(&b)
	for _, want := range []string{
		"f.c: not decided; an assertion may fail, by these steps:\n",
		" n = g()",
		"-> 5 (approximated)\n",
		"  f.c:12:3: assert(n != 5) fails in thread 0 main\n",
		"\n  approximated call of unknown function g (f.c:7:3)\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "function puts") {
		t.Errorf("nothing depends on puts:\n%s", &b)
	}
	want := "UNKNOWN: possible violation at f.c:12:3, it depends on call of unknown function g (f.c:7:3)"
	if got := verdictLine(r.res.Verdict, r.res.Reason); got != want {
		t.Errorf("%q instead of %q", got, want)
	}
}

// TestSuspectedJSON has the same in the fields "suspected" and "approximations".
func TestSuspectedJSON(t *testing.T) {
	var b bytes.Buffer
	if err := suspicious(t).json(&b); err != nil {
		t.Fatal(err)
	}
	var out jsonReport
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	g := jsonApproximation{"call of unknown function g", "f.c:7:3"}
	s := out.Suspected
	if len(out.Approximations) != 2 || out.Approximations[1] != g || s == nil || len(out.Counterexample) != 0 || out.Violation != nil {
		t.Fatalf("%s", &b)
	}
	if len(s.Approximations) != 1 || s.Approximations[0] != g || s.Violation == nil || s.Violation.Line != 12 {
		t.Errorf("%+v", s)
	}
	marked := 0
	for _, step := range s.Counterexample {
		if step.Approximation == g.Name && step.Statement == "n = g()" {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("%+v", s.Counterexample)
	}
}
