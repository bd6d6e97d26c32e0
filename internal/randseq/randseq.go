// Package randseq writes random C programs with one thread, without inputs and
// without undefined behaviour (given that signed overflow wraps around): recursion,
// jumps into, out of and between loops, switches that lead into them, initialisers,
// strings and what else the front end takes apart by itself. A compiler's program
// prints the values that comus has to find.
package randseq

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is a random program: declarations, and expressions that are to be evaluated
// one after the other.
type Program struct {
	Decls string
	Exprs []string
}

// Generate returns the program of a seed. All names of file scope begin with prefix,
// so that programs can be put together.
func Generate(seed uint64, prefix string) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), prefix: prefix}
	g.printf("static int %[1]sg0 = %[2]d, %[1]sg1, %[1]sa[4] = { 1, [2 ... 3] = %[3]d };\n", prefix, g.IntN(9)-4, g.IntN(5))
	g.printf("struct %ss { int a; unsigned b : 5; int d : 7; short c[2]; };\n", prefix)
	// What a loop of this length computes is not known when it is unrolled.
	g.printf("static int %shide(int v) { int k = 0, r = 0; while (k < 70) { k++; r = v; } return r; }\n", prefix)
	for i := range 2 + g.IntN(3) {
		g.function(fmt.Sprintf("%sf%d", prefix, i))
	}
	var p Program
	for range 3 {
		n := fmt.Sprint(g.IntN(4))
		if g.IntN(2) == 0 {
			n = fmt.Sprintf("%shide(%s)", prefix, n)
		}
		p.Exprs = append(p.Exprs, fmt.Sprintf("%s(%s, %d, %d)", g.pick(g.funcs...), n, g.IntN(9)-4, g.IntN(100)))
		p.Exprs = append(p.Exprs, prefix+"g0", prefix+"g1", prefix+"a[1] ^ "+prefix+"a[3]")
	}
	p.Decls = g.text.String()
	return p
}

// generator writes the functions of a program.
type generator struct {
	*rand.Rand
	prefix string
	text   strings.Builder
	funcs  []string // those that can be called
	reads  []string // lvalues that can be read here
	writes []string // those that can be written
	n      int      // names used
	left   int      // statements that the function may still get
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.text, format, args...) }

func (g *generator) pick(xs ...string) string { return xs[g.IntN(len(xs))] }

func (g *generator) name(s string) string {
	g.n++
	return fmt.Sprintf("%s%d", s, g.n)
}

// function writes a function of three ints, of which the first one counts down if it
// calls itself.
func (g *generator) function(name string) {
	p := g.prefix
	g.reads = []string{"n", "a", "b", "x", "y", "l[0]", "l[3]", p + "g0", p + "g1", p + "a[2]"}
	g.writes = []string{"a", "b", "x", "y", "l[1]", "l[(unsigned)x & 3]", p + "g0", p + "g1", p + "a[1]", p + "a[y & 3]"}
	g.left = 7
	vars := "  int x = a, y = 1, l[4] = { b, 2 }, fuel = 3; (void)fuel;\n"
	e := func() string { return g.expr(1) }
	switch kind := g.IntN(7); kind {
	case 0: // the last thing it does
		g.printf("static int %s(int n, int a, int b) {\n%s", name, vars)
		g.printf("if (n <= 0) return %s;\n%s", g.expr(2), g.block(2))
		g.printf("return %s;\n}\n", g.pick(
			fmt.Sprintf("%s(n - 1, b, a)", name),
			fmt.Sprintf("%s(n - 1, %s, a + %s)", name, e(), e()),
			fmt.Sprintf("%s ? %s(n - 1, b, x) : %s(n - 2, %s, b)", e(), name, name, e()),
			fmt.Sprintf("%s ? %s : %s(n - 1, a, %s)", e(), e(), name, e())))
	case 1: // not the last thing
		g.printf("static int %s(int n, int a, int b) {\n%sif (n <= 0) return %s;\n%s", name, vars, e(), g.block(2))
		g.printf("return %s;\n}\n", g.pick(
			fmt.Sprintf("x + %s(n - 1, b, %s) * 3", name, e()),
			fmt.Sprintf("%s(n - 1, a, y) - %s(n - 2, %s, b)", name, name, e()),
			fmt.Sprintf("%s(n - 1, %s(n - 2, b, a), x) ^ a", name, name)))
	case 2: // without a result, in both ways
		g.printf("static void %sv(int n, int a, int b) {\n%s%s", name, vars, g.block(2))
		g.printf("%sg0 += a - 2 * b; if (n > 0) { %s %sv(n - 1, %s, a); %s} else { %sg1 ^= b; }\n}\n",
			p, g.block(1), name, e(), g.pick("", "", "return; ", p+"g1 += b; "), p)
		g.printf("static int %s(int n, int a, int b) { %sv(n, b, a); return a; }\n", name, name)
	case 3: // by way of another function
		g.printf("static int %s(int n, int a, int b);\n", name)
		g.printf("static int %sm(int n, int b, int a) {\n%s%sif (n > 0) return %s(n - 1, a, b)%s;\nreturn %s;\n}\n",
			name, vars, g.block(1), name, g.pick("", " + b"), e())
		g.printf("static int %s(int n, int a, int b) {\n%s%sreturn n <= 0 ? %s : %sm(n - 1, %s, b);\n}\n", name, vars, g.block(1), e(), name, e())
	case 4: // with pointers to variables of the calls before
		g.printf("static int %sp(int n, int *p, int b) {\n  int a = *p, s[2] = { b };\n%s", name, vars)
		g.printf("if (n <= 0) { *p -= b; return %s; }\n%s", e(), g.block(1))
		g.printf("s[1] = %sp(n - 1, %s, y); *p ^= s[0] + x; return s[1] + x + a;\n}\n", name, g.pick("&x", "s", "p", "&s[0]", "&l[2]"))
		g.printf("static int %s(int n, int a, int b) { int v = b, r = %sp(n, &v, a); return v ^ r; }\n", name, name)
	default:
		g.left = 10
		g.printf("static int %s(int n, int a, int b) {\n%s%sreturn x ^ (y + %s);\n}\n", name, vars, g.block(3), e())
	}
	g.funcs = append(g.funcs, name)
}

// expr returns an expression without effects.
func (g *generator) expr(depth int) string {
	if depth == 0 {
		if g.IntN(3) > 0 {
			return g.pick(g.reads...)
		}
		return g.pick("0", "1", "-1", "3", "17", "'a'", "'ab'", "7u", "255", "sizeof(int)")
	}
	x, y := g.expr(depth-1), g.expr(g.IntN(depth))
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", x, y, g.expr(0))
	case 1:
		return fmt.Sprintf("(%s)(%s)", g.pick("signed char", "unsigned char", "short", "_Bool", "unsigned"), x)
	case 2:
		return fmt.Sprintf("%s(%s)", g.pick("~", "!", "-"), x)
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, g.pick("<", "==", "!=", ">=", "&&", "||"), y)
	case 4:
		return fmt.Sprintf("%sa[(%s) & 3]", g.prefix, x)
	case 5:
		return fmt.Sprintf("((%s) %s)", x, g.pick(">> 1", "% 5", "/ 3", "& 6", "<< 2"))
	}
	return fmt.Sprintf("(%s %s %s)", x, g.pick("+", "-", "*", "^", "&", "|"), y)
}

// cond returns a condition that is neither true nor false most of the time.
func (g *generator) cond() string {
	return fmt.Sprintf("((%s) & %d)", g.expr(1), 1+g.IntN(3))
}

// block writes some statements.
func (g *generator) block(depth int) string {
	var s strings.Builder
	for range 1 + g.IntN(2) {
		s.WriteString(g.stmt(depth))
	}
	return s.String()
}
