package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Construct is a set of things that a [Sequential] program may contain beside
// integers of all types, arrays, structs, unions, bit-fields, all statements and
// calls of functions.
type Construct uint16

// The constructs.
const (
	Shared    Construct = 1 << iota // another thread has written the variables before
	Targets                         // a pointer with several targets
	Heap                            // lists and arrays from malloc
	Recursive                       // functions that call themselves
	Texts                           // strings
	Tables                          // function pointers in a table
	Floats                          // floating point whose values do not matter
)

// Sequential is a random program whose results are the same in every execution, so
// that a compiler can tell them. Signed overflow is meant to wrap around.
type Sequential struct {
	text  string // all but the end of main
	setup string // what main starts with
}

// sequentialResults are the values at the end of the program, each an integer.
var sequentialResults = []string{"i0", "i1", "i2", "u0", "u1", "h0", "k0", "c0", "d0", "l0", "m0", "b0",
	"v[0]", "v[1]", "v[2]", "v[3]", "s.a", "s.b", "s.n.c", "s.n.d[0]", "s.n.d[1]", "t.a", "t.b", "t.n.c", "t.n.d[0]", "t.n.d[1]",
	"w.i", "e0", "bf.p", "bf.q", "bf.r"}

// Printing returns the program that prints its results, one a line.
func (s *Sequential) Printing() string {
	var b strings.Builder
	for _, r := range sequentialResults {
		fmt.Fprintf(&b, "    printf(\"%%lld\\n\", (long long)%s);\n", r)
	}
	return s.whole("#include <stdio.h>\n", b.String())
}

// Asserting returns the program that asserts that its results are these.
func (s *Sequential) Asserting(values []string) string {
	var b strings.Builder
	for i, r := range sequentialResults {
		v := values[i] + "LL"
		if v == "-9223372036854775808LL" {
			v = "(-9223372036854775807LL - 1)"
		}
		fmt.Fprintf(&b, "    assert((long long)%s == %s);\n", r, v)
	}
	return s.whole("#include <assert.h>\n", b.String())
}

func (s *Sequential) whole(headers, end string) string {
	return headers + s.text + "int main(void) {\n" + s.setup + "    run();\n" + end + "    return 0;\n}\n"
}

const sequentialTypes = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum color { red, green = 5, blue };
struct inner { unsigned char c; int d[2]; };
struct outer { int a; short b; struct inner n; };
union both { int i; unsigned u; };
struct bits { unsigned p : 3; int q : 5; unsigned r : 9; };
struct node { int value; struct node *next; };

`

// NewSequential returns the program with that seed.
func NewSequential(seed uint64, has Construct) *Sequential {
	g := &sequential{r: rand.New(rand.NewPCG(seed, 0x736571)), has: has}
	out := &Sequential{}
	var b strings.Builder
	fmt.Fprintf(&b, "// randprog, sequential, seed %d\n%s", seed, sequentialTypes)
	fmt.Fprintf(&b, "int i0 = %d, i1 = %d, i2 = %d;\nunsigned u0 = %d, u1 = %du;\nshort h0 = %d;\nunsigned short k0 = %d;\n",
		g.number(), g.number(), g.number(), g.r.IntN(9), 4294967295-g.r.IntN(3), g.number(), 65535-g.r.IntN(9))
	fmt.Fprintf(&b, "signed char c0 = %d;\nunsigned char d0 = %d;\nlong l0 = %dL;\nunsigned long m0 = %dUL;\n_Bool b0 = %d;\n",
		g.number(), 250+g.r.IntN(6), (g.r.IntN(9)-4)*1000000007, g.r.IntN(99), g.r.IntN(2))
	fmt.Fprintf(&b, "int v[4] = { %d, %d, [3] = %d };\nstruct outer s = { %d, %d, { %d, { %d, %d } } }, t;\n",
		g.number(), g.number(), g.number(), g.number(), g.number(), g.r.IntN(256), g.number(), g.number())
	fmt.Fprintf(&b, "union both w = { %d };\nenum color e0 = %s;\nstruct bits bf = { %d, %d, %d };\n\n",
		g.number(), g.of("red", "green", "blue"), g.r.IntN(8), g.r.IntN(32)-16, g.r.IntN(512))
	if has&Shared != 0 {
		b.WriteString("static void *setter(void *arg) {\n    i0++; i1--; i2 += 2; u0++; u1--; h0++; k0++; c0++; d0++; l0--; m0++; v[1]++; s.a++; w.i--;\n    return 0;\n}\n\n")
		out.setup = "    pthread_t id;\n    pthread_create(&id, 0, setter, 0);\n    pthread_join(id, 0);\n"
	}
	if has&Recursive != 0 {
		g.recursive(&b)
	}
	for i := range 3 {
		g.function(&b, i)
	}
	if has&Tables != 0 {
		b.WriteString("static int (*const table[3])(int, unsigned) = { f0, f1, f2 };\n\n")
		g.table = true
	}
	b.WriteString("static void run(void) {\n")
	g.budget = 14
	g.writeStatements(&b, 1)
	b.WriteString("}\n\n")
	out.text = b.String()
	return out
}

// sequential makes one program.
type sequential struct {
	r      *rand.Rand
	has    Construct
	params []string // ints and unsigneds of the function
	calls  int      // functions that may be called: f0 to f(calls-1)
	table  bool
	loops  int // counters in use, which statements only read
	depth  int
	budget int
	names  int // labels and variables so far
}

func (g *sequential) number() int             { return g.r.IntN(41) - 20 }
func (g *sequential) of(xs ...string) string  { return xs[g.r.IntN(len(xs))] }
func (g *sequential) chance(percent int) bool { return g.r.IntN(100) < percent }

// fresh returns a name that is used once.
func (g *sequential) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// recursive writes functions that call themselves and each other.
func (g *sequential) recursive(b *strings.Builder) {
	fmt.Fprintf(b, "static int down(int n, int sum) {\n    if (n <= 0) return sum;\n    int mine = sum * %d + n;\n    int rest = down(n - 1, mine - %d);\n    return rest + (mine & 7);\n}\n\n", 2+g.r.IntN(3), g.r.IntN(5))
	fmt.Fprintf(b, "static int odd(int n);\nstatic int even(int n) { return n == 0 ? %d : odd(n - 1); }\nstatic int odd(int n) { return n == 0 ? %d : even(n - 1) + 1; }\n\n", g.number(), g.number())
	fmt.Fprintf(b, "static void fill(int *to, int n) {\n    if (n < 0) return;\n    to[n] = n * %d;\n    fill(to, n - 1);\n    to[0] += to[n];\n}\n\n", g.number())
}

// function writes function f(i).
func (g *sequential) function(b *strings.Builder, i int) {
	fmt.Fprintf(b, "static int f%d(int a, unsigned b) {\n    static int calls;\n    int x = a + %d;\n", i, g.number())
	g.params, g.calls, g.budget = []string{"a", "b", "x"}, i, 4
	g.writeStatements(b, 1)
	fmt.Fprintf(b, "    return %s + (calls += %d);\n}\n\n", g.expr(2), 1+g.r.IntN(3))
	g.params, g.calls = nil, i+1
}

// writeStatements writes statements until the budget is used up.
func (g *sequential) writeStatements(b *strings.Builder, indent int) {
	for g.budget > 0 {
		for l := range strings.Lines(g.statement()) {
			b.WriteString(strings.Repeat("    ", indent) + strings.TrimRight(l, "\n") + "\n")
		}
	}
}

// body returns one to three statements in braces.
func (g *sequential) body() string {
	g.depth++
	defer func() { g.depth-- }()
	var b strings.Builder
	b.WriteString("{\n")
	for range 1 + g.r.IntN(2) {
		for l := range strings.Lines(g.statement()) {
			b.WriteString("    " + strings.TrimRight(l, "\n") + "\n")
		}
	}
	return b.String() + "}"
}

// target returns something to assign to.
func (g *sequential) target() string {
	if len(g.params) > 0 && g.chance(40) {
		return g.of(g.params...)
	}
	switch g.r.IntN(8) {
	case 0:
		return fmt.Sprintf("v[%s]", g.index())
	case 1:
		return g.of("s", "t") + "." + g.of("a", "b", "n.c", "n.d[0]", "n.d[(unsigned)i0 % 2]")
	case 2:
		return g.of("w.i", "w.u", "bf.p", "bf.q", "bf.r")
	}
	return g.plain()
}

// plain returns a variable, which takes no evaluation to assign to: C leaves it open
// whether that is before or after the evaluation of the value.
func (g *sequential) plain() string {
	return g.of("i0", "i1", "i2", "u0", "u1", "h0", "k0", "c0", "d0", "l0", "m0", "b0")
}

func (g *sequential) index() string {
	if g.loops > 0 && g.chance(40) {
		return fmt.Sprintf("k%d %% 4", 10+g.r.IntN(g.loops))
	}
	if g.chance(50) {
		return fmt.Sprint(g.r.IntN(4))
	}
	return fmt.Sprintf("(unsigned)%s %% 4", g.of("i0", "i1", "u0", "h0", "d0"))
}

// leaf returns something to read.
func (g *sequential) leaf() string {
	switch n := g.r.IntN(10); {
	case n < 2:
		return g.of("0", "1", "-1", "3", "7u", "100", "2L", "0x7fff", "255", "green", "'a'", "sizeof(int)")
	case n == 2 && g.loops > 0:
		return fmt.Sprintf("k%d", 10+g.r.IntN(g.loops))
	case n == 3:
		return g.of("e0", "bf.p", "bf.q", "bf.r", "w.u")
	}
	return g.target()
}

// expr returns an expression without side effects.
func (g *sequential) expr(depth int) string {
	if depth == 0 {
		return g.leaf()
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.r.IntN(14) {
	case 0:
		return fmt.Sprintf("(%s)(%s)", g.of("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "_Bool"), x)
	case 1:
		return fmt.Sprintf("(%s(%s))", g.of("-", "~", "!", "+"), x)
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(), x, y)
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, g.of("<", "<=", ">", ">=", "==", "!="), y)
	case 4:
		return fmt.Sprintf("(%s %s %s)", x, g.of("/", "%"), g.of("3", "-2", "7u", "5L"))
	case 5:
		return fmt.Sprintf("(%s %s %s)", x, g.of("&", "|", "^"), g.of("1", "3", "6", "0xf0", "-1", "255u"))
	case 6:
		return fmt.Sprintf("((unsigned)%s %s %s)", x, g.of("<<", ">>"), g.of("1", "3", "8"))
	case 7:
		return fmt.Sprintf("(%s * %s)", x, g.of("2", "-3", "5u", "7L"))
	case 8:
		return fmt.Sprintf("(%s %s %s)", x, g.of("&&", "||"), y)
	}
	return fmt.Sprintf("(%s %s %s)", x, g.of("+", "-"), y)
}

func (g *sequential) cond() string {
	return fmt.Sprintf("%s %s %s", g.leaf(), g.of("<", ">", "==", "!=", ">="), g.of("0", "1", "5", "-3", g.leaf()))
}
