package boolprog_test

import (
	"regexp"
	"strings"
	"testing"

	"comus/boolprog"
)

// TestErrors reads wrong programs: each error says where and what.
func TestErrors(t *testing.T) {
	body := func(s string) string { return "decl g;\nvoid main() begin\n" + s + "\nend\n" }
	tests := []struct{ name, src, want string }{
		{"empty", "", "t.bp:1:1: no thread is declared, and there is no procedure main"},
		{"declared twice", "decl a, a;", "t.bp:1:9: a is declared twice"},
		{"local twice", "void main(x) begin decl x; end", "t.bp:1:25: x is declared twice"},
		{"unknown variable", body("g := h;"), "t.bp:3:6: h is not declared"},
		{"unknown procedure", body("f();"), "t.bp:3:1: procedure f is not defined"},
		{"unknown thread", body("") + "thread t;", "t.bp:5:8: procedure t is not defined"},
		{"thread with parameters", "thread t; void t(x) begin end", "t.bp:1:8: a thread cannot run t: it has parameters"},
		{"unknown label", body("goto L;"), "t.bp:3:6: procedure main has no label L"},
		{"label twice", body("L: skip; L: skip;"), "t.bp:3:10: label L is defined twice"},
		{"too few values", body("g := ;"), `t.bp:3:6: an expression expected, found ";"`},
		{"too many values", body("g := 0, 1;"), "t.bp:3:6: 2 values assigned to 1 variable"},
		{"assigned twice", body("g, g := 0, 1;"), "t.bp:3:4: g is assigned twice in one statement"},
		{"arguments", body("f(1);") + "void f() begin end", "t.bp:3:1: f has 0 parameters, 1 given"},
		{"reading what nobody wants", body("_ := 1; g := _;"), "t.bp:3:14: _ is not declared"},
		{"results", body("g := f();") + "bool<2> f() begin end", "t.bp:3:6: f has 2 results, 1 assigned"},
		{"return", body("return 1;"), "t.bp:3:1: main has 0 results, 1 returned"},
		{"no semicolon", body("g := 1"), `t.bp:4:1: ";" expected, found "end"`},
		{"no end", "void main() begin skip;", "t.bp:1:24: a statement expected, found the end of the file"},
		{"comment", "/* x", "t.bp:1:1: the comment does not end"},
		{"character", body("g := 1 $ 0;"), `t.bp:3:8: unexpected character "$"`},
		{"number", body("g := 2;"), "t.bp:3:6: a value is 0 or 1, not 2"},
		{"primed", body("g := 'g;"), "t.bp:3:6: a value after the step is for constrain only"},
		{"init", "decl a; init *;", "t.bp:1:9: init needs an expression without * and schoose"},
		{"call in atomic", body("atomic begin main(); end"), "t.bp:3:14: unsupported: call inside an atomic block"},
		{"other dialect", body("atomic_begin;"), "t.bp:3:1: unsupported: atomic_begin (write atomic begin … end)"},
		{"name in braces", "decl {x;\n", "t.bp:1:6: the name in braces does not end on its line"},
		{"control character", "decl {x\r};\n", "t.bp:1:6: the name in braces does not end on its line"},
		{"column behind other letters", "decl é; /* ☃ */ decl é;", "t.bp:1:22: é is declared twice"},
		{"deep brackets", body("g := " + strings.Repeat("(", 20000)), "t.bp:3:10005: nested deeper than 10000 levels"},
		{"deep negations", body("g := " + strings.Repeat("!", 20000)), "t.bp:3:10005: nested deeper than 10000 levels"},
		{"deep implications", body("g := " + strings.Repeat("g=>", 20000)), "t.bp:3:30003: nested deeper than 10000 levels"},
		{"deep statements", body(strings.Repeat("while * do ", 20000)), "t.bp:3:109996: nested deeper than 10000 levels"},
		{"many operators", body("g := g" + strings.Repeat("&g", 20000) + ";"), "t.bp:3:20005: more than 9998 operators in a row"},
	}
	for _, test := range tests {
		_, err := boolprog.Parse("t.bp", test.src)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, not %s", test.name, err, test.want)
		}
	}
}

// TestGraph reads a program with every statement.
func TestGraph(t *testing.T) {
	const src = `
decl a, {x == 1}, b; // comment
init a & !b; /* another */
thread main, main;
void main() begin
  decl l, m;
  l, m := f(a, *);
  a, b := b, a constrain 'a != 'b;
  l := ? | m;
  if (l) then skip; elsif m then dead l, m; else a := schoose[l, m]; fi;
  while * do atomic begin assume(a => b); {x == 1} := T ? 0 : F; end od
L: assert a | !a ^ b & l;
  goto L, M;
M:
end
bool<2> f(x, y) begin return y, x; end`
	p, err := boolprog.Parse("t.bp", src)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(p.Globals, " ") != "a {x == 1} b" || len(p.Threads) != 2 || len(p.Procs) != 2 {
		t.Errorf("globals %v, %d threads, %d procedures", p.Globals, len(p.Threads), len(p.Procs))
	}
	if f := p.Procs[1]; f.Params != 2 || f.Results != 2 || len(f.Vars) != 4 {
		t.Errorf("f has %d parameters, %d results, variables %q", f.Params, f.Results, f.Vars)
	}
	failing, atomic := 0, 0
	for _, n := range p.Procs[0].Nodes {
		if n.Error {
			failing++
		}
		if n.Atomic {
			atomic++
		}
	}
	if failing != 1 || atomic == 0 {
		t.Errorf("%d error nodes, %d atomic ones", failing, atomic)
	}
}

// oneLine is what an error looks like.
var oneLine = regexp.MustCompile(`^t\.bp:[1-9][0-9]*:[1-9][0-9]*: [^\n\r]+$`)

// FuzzParse reads anything: a program whose edges fit its nodes, or an error of one
// line.
func FuzzParse(f *testing.F) {
	f.Add("decl a; thread main, main; void main() begin a := *; end")
	f.Add("bool<2> f(x, y) begin L: if x then goto L; elsif y then return y, x; fi while * do dead x; od end void main() begin end")
	f.Add("void main() begin decl x; _, x := f(?); _, _ := f(x); end bool<2> f(a) begin _ := a; return a, T; end")
	f.Add("decl {x==1}; init {x==1}; void main() begin atomic begin assume(schoose[1, 0]); {x==1} := 0 constrain '{x==1}; end end")
	f.Fuzz(func(t *testing.T, src string) {
		p, err := boolprog.Parse("t.bp", src)
		if err != nil {
			if !oneLine.MatchString(err.Error()) {
				t.Errorf("not an error of one line with a place: %q", err)
			}
			return
		}
		for _, proc := range p.Procs {
			for _, e := range proc.Edges {
				if e.From >= len(proc.Nodes) || e.To >= len(proc.Nodes) || e.From == proc.Exit || proc.Nodes[e.From].Error {
					t.Errorf("%s: an edge from %d to %d", proc.Name, e.From, e.To)
				}
				for _, v := range e.Targets {
					if v.Index < 0 || !v.Global && v.Index >= len(proc.Vars) || v.Global && v.Index >= len(p.Globals) {
						t.Errorf("%s: target %+v of %d variables", proc.Name, v, len(proc.Vars))
					}
				}
			}
		}
	})
}
