package cgen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/ir"
	"comus/logic"
)

// terms makes random terms over variables.
type terms struct {
	r    *rand.Rand
	l    *logic.Store
	vars []*ir.Var
}

// integer makes a term of numbers.
func (g *terms) integer(depth int) *logic.Term {
	l := g.l
	if depth == 0 || g.r.IntN(4) == 0 {
		if g.r.IntN(3) == 0 {
			return l.Int([]int64{0, 1, -1, 2, -3, 7, 255, 1 << 31, -(1 << 31), 1<<31 - 1}[g.r.IntN(10)])
		}
		return g.vars[g.r.IntN(len(g.vars))].Sym
	}
	a, b := g.integer(depth-1), g.integer(depth-1)
	switch g.r.IntN(9) {
	case 0, 1:
		return l.Add(a, b)
	case 2, 3:
		return l.Sub(a, b)
	case 4:
		return l.Mul(l.Int(int64(g.r.IntN(7)-3)), a)
	case 5:
		return l.Mod(a, l.Int([]int64{2, 3, 10, 256, 1 << 31, 1 << 32}[g.r.IntN(6)]))
	case 6:
		return l.Div(a, l.Int([]int64{2, 3, -3, 256}[g.r.IntN(4)]))
	case 7:
		return l.Ite(g.truth(depth-1), a, b)
	}
	return l.BoolToInt(g.truth(depth - 1))
}

// truth makes a formula.
func (g *terms) truth(depth int) *logic.Term {
	l := g.l
	if depth > 0 && g.r.IntN(3) == 0 {
		a, b := g.truth(depth-1), g.truth(depth-1)
		return []*logic.Term{l.And(a, b), l.Or(a, b), l.Not(a)}[g.r.IntN(3)]
	}
	a, b := g.integer(max(depth-1, 0)), g.integer(max(depth-1, 0))
	return []*logic.Term{l.Le(a, b), l.Lt(a, b), l.Eq(a, b), l.Ge(a, l.Int(-1)), l.Le(a, l.Int(-1))}[g.r.IntN(5)]
}

// value returns a value of a type: often an extreme one, or one near zero.
func (g *terms) value(t ir.Type) logic.Value {
	lo, hi := t.Range()
	switch g.r.IntN(4) {
	case 0:
		return lo
	case 1:
		return hi
	case 2:
		if v := logic.IntValue(int64(g.r.IntN(5) - 2)); v.Cmp(lo) >= 0 && v.Cmp(hi) <= 0 {
			return v
		}
	}
	return lo.Add(logic.IntValue(g.r.Int64N(1 << min(t.Bits, 62))))
}

// TestExpr compiles random terms as C with gcc and compares the values of the expressions
// with those of the terms.
func TestExpr(t *testing.T) {
	p := ir.NewProgram("t")
	g := &terms{r: rand.New(rand.NewPCG(5, 1)), l: p.L}
	for _, typ := range []ir.Type{ir.Flag, {Bits: 8}, {Bits: 8, Signed: true}, {Bits: 16}, {Bits: 20}, {Bits: 31}, {Bits: 32},
		{Bits: 32, Signed: true}, {Bits: 63}, {Bits: 64}, {Bits: 64, Signed: true}} {
		g.vars = append(g.vars, p.NewVar(fmt.Sprintf("v%d", len(g.vars)), typ, ir.Shared))
	}
	n := NewNames(p.Vars)
	var body strings.Builder
	var want []string
	var texts []string
	for range 1500 {
		term := g.truth(3)
		c, err := n.Expr(term)
		if err != nil { // more than 128 bits
			continue
		}
		values := map[*logic.Term]logic.Value{}
		body.WriteString("  {")
		for _, v := range p.Vars {
			x := g.value(v.Type)
			values[v.Sym] = x
			text := Value(x)
			if lo, _ := v.Type.Range(); x == lo && x.Sign() < 0 { // -2^63 is not -(2^63)
				text = "(" + Value(x.Add(logic.IntValue(1))) + ") - 1"
			}
			fmt.Fprintf(&body, " %s %s = %s;", Type(v.Type), n.Of(v), text)
		}
		fmt.Fprintf(&body, " puts((%s) ? \"1\" : \"0\"); }\n", c)
		want = append(want, logic.Eval(term, func(v *logic.Term) logic.Value { return values[v] }).String())
		texts = append(texts, fmt.Sprintf("%v is %s, with %v", term, c, values))
	}
	if len(want) < 1000 {
		t.Fatalf("only %d terms", len(want))
	}
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "e.c"), filepath.Join(dir, "e")
	text := "#include <stdio.h>\n" + n.Prelude(Generic) + "int main(void) {\n" + body.String() + "  return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O0", "-w", "-ftrapv", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, got := range strings.Fields(string(out)) {
		if got != want[i] {
			if wrong++; wrong <= 3 {
				t.Errorf("%s instead of %s: %s", got, want[i], texts[i])
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d expressions are wrong", wrong, len(want))
	}
}

// TestInComment puts texts into comments of a file that gcc has to accept.
func TestInComment(t *testing.T) {
	var b strings.Builder
	for _, s := range []string{"d*/e.c", "**//", "*/*/ x", "/*/", "*", "/", "a\nb", "*\\\n/", "*\\\r\n/", "*??/\n/", "\"'\\", "\xff*/"} {
		if got := InComment(s); strings.ContainsAny(got, "\n\r") {
			t.Errorf("%q becomes %q", s, got)
		}
		fmt.Fprintf(&b, "/* %s */ int v%d; /*%s*/\n", InComment(s), b.Len(), InComment("."+s+"."))
	}
	cmd := exec.Command("gcc", "-std=c99", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", "-")
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, b.String())
	}
}
