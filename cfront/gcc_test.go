package cfront

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/ir/explore"
)

// cTypes are the integer types of the random expressions, with values to try,
// the extreme ones among them.
var cTypes = []struct {
	name   string
	values []string
}{
	{"_Bool", []string{"0", "1"}},
	{"signed char", []string{"-127-1", "-3", "0", "1", "127"}},
	{"unsigned char", []string{"0", "1", "200", "255"}},
	{"short", []string{"-32767-1", "-3", "0", "255", "32767"}},
	{"unsigned short", []string{"0", "5", "40000", "65535"}},
	{"int", []string{"-2147483647-1", "-7", "-1", "0", "1", "100", "2147483647"}},
	{"unsigned", []string{"0", "1", "7", "2147483648u", "4294967295u"}},
	{"long", []string{"-9223372036854775807L-1", "-5", "0", "4294967296L", "9223372036854775807L"}},
	{"unsigned long", []string{"0", "3", "9223372036854775808UL", "18446744073709551615UL"}},
	{"long long", []string{"-9223372036854775807LL-1", "-1", "0", "65536", "9223372036854775807LL"}},
}

// exprGen makes random expressions without undefined behaviour, given that
// signed overflow wraps around.
type exprGen struct {
	*rand.Rand
	vars []string
}

func pick[T any](r *rand.Rand, xs ...T) T { return xs[r.IntN(len(xs))] }

func (g *exprGen) expr(depth int) string {
	if depth == 0 {
		if g.IntN(5) > 0 {
			return pick(g.Rand, g.vars...)
		}
		return pick(g.Rand, "0", "1", "-1", "0u", "255", "12", "1L", "65535u", "0x80000000")
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s)(%s)", pick(g.Rand, cTypes...).name, x)
	case 1, 2:
		return fmt.Sprintf("%s(%s)", pick(g.Rand, "~", "-", "!", "+"), x)
	case 3:
		return fmt.Sprintf("((%s) ? (%s) : (%s))", g.expr(depth-1), x, y)
	case 4:
		return fmt.Sprintf("((%s) %s (%s))", x, pick(g.Rand, "&&", "||"), y)
	case 5:
		return fmt.Sprintf("((%s) %s (%s))", x, pick(g.Rand, "<", "<=", ">", ">=", "==", "!="), y)
	case 6:
		return fmt.Sprintf("((%s) %s %s)", x, pick(g.Rand, "<<", ">>"), pick(g.Rand, "1", "7", "31", "(("+y+") & 7)"))
	case 7, 8:
		return fmt.Sprintf("((%s) %s (%s))", x, pick(g.Rand, "&", "|", "^"), y)
	case 9:
		return fmt.Sprintf("((%s) %s %s)", x, pick(g.Rand, "/", "%"), pick(g.Rand, "3", "-2", "7u", "5L"))
	}
	return fmt.Sprintf("((%s) %s (%s))", x, pick(g.Rand, "+", "-", "*"), y)
}

// exprSample is some variables with values, and expressions over them.
type exprSample struct {
	names, types, values []string
	results              []string // types of the expressions
	exprs                []string
}

func newExprSample(r *rand.Rand) *exprSample {
	s := &exprSample{}
	for i := range 4 {
		t := pick(r, cTypes...)
		s.names, s.types, s.values = append(s.names, fmt.Sprintf("v%d", i)), append(s.types, t.name), append(s.values, pick(r, t.values...))
	}
	g := &exprGen{r, s.names}
	for range 8 {
		s.results, s.exprs = append(s.results, pick(r, cTypes...).name), append(s.exprs, g.expr(1+r.IntN(3)))
	}
	return s
}

// gccValues runs the samples and returns the values of all expressions.
func gccValues(t *testing.T, samples []*exprSample) []string {
	t.Helper()
	var c strings.Builder
	c.WriteString("#include <stdio.h>\nint main(void) {\n")
	for _, s := range samples {
		c.WriteString("{")
		for i, v := range s.names {
			fmt.Fprintf(&c, "%s %s = %s; ", s.types[i], v, s.values[i])
		}
		for i, e := range s.exprs {
			fmt.Fprintf(&c, "{ %s r = %s; printf(\"%%lld\\n\", (long long)r); }\n", s.results[i], e)
		}
		c.WriteString("}\n")
	}
	c.WriteString("return 0; }\n")
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "e.c"), filepath.Join(dir, "e")
	if err := os.WriteFile(src, []byte(c.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-w", "-O0", "-fwrapv", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out) // cgo has one, so it is there
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestExpressionsAgainstGCC compares random integer expressions with what gcc
// computes: with the operands as known constants, and read from shared variables.
func TestExpressionsAgainstGCC(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 30
	}
	var samples []*exprSample
	for i := range n {
		samples = append(samples, newExprSample(rand.New(rand.NewPCG(uint64(i), 7))))
	}
	want := gccValues(t, samples)
	for i, s := range samples {
		for _, shared := range []bool{false, true} {
			src := s.program(want[i*len(s.exprs):], shared)
			res, err := Parse("e.c", []byte(src), Options{Overflow: OverflowWrap})
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 100_000})
			if err != nil || r.Verdict != explore.Safe {
				t.Fatalf("sample %d: %v %v %s\n%s", i, err, r.Verdict, r.Reason, src)
			}
		}
	}
}

// program returns a program that asserts the values of the expressions.
func (s *exprSample) program(want []string, shared bool) string {
	var c, set strings.Builder
	c.WriteString("#include <pthread.h>\n#include <assert.h>\n")
	for i, v := range s.names {
		fmt.Fprintf(&c, "%s g%s;\n", s.types[i], v)
		fmt.Fprintf(&set, "g%s = %s; ", v, s.values[i])
	}
	fmt.Fprintf(&c, "void *f(void *a) { %s return 0; }\nint main(void) {\n", set.String())
	c.WriteString("  pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n")
	for i, v := range s.names {
		from := s.values[i]
		if shared {
			from = "g" + v
		}
		fmt.Fprintf(&c, "  %s %s = %s;\n", s.types[i], v, from)
	}
	for i, e := range s.exprs {
		w := want[i]
		if w == "-9223372036854775808" {
			w = "-9223372036854775807LL-1"
		}
		fmt.Fprintf(&c, "  { %s r = %s; assert((long long)r == %s); }\n", s.results[i], e, w)
	}
	c.WriteString("  return 0;\n}\n")
	return c.String()
}
