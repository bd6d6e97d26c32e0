package cba

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"comus/boolprog"
	"comus/boolprog/interp"
)

// The random programs of TestRandom: go test ./boolprog/cba -run Random -seed 5000 -programs 10000.
var (
	firstSeed = flag.Int("seed", 0, "the first seed of the random programs")
	programs  = flag.Int("programs", 1000, "how many random programs")
)

// writer writes a random program.
type writer struct {
	*rand.Rand
	strings.Builder
	vars   []string // in scope
	result bool     // the procedure returns one
	atomic bool
	budget int
	label  int
}

// randomProgram returns a small program with two or three threads.
func randomProgram(r *rand.Rand) string {
	w := &writer{Rand: r}
	globals := []string{"g", "h"}[:1+r.Intn(2)]
	fmt.Fprintf(w, "decl %s;\n", strings.Join(globals, ", "))
	if r.Intn(3) > 0 {
		w.vars = globals
		fmt.Fprintf(w, "init %s;\n", w.plain(1))
	}
	threads := []string{"a", "b", "a", "b"}[r.Intn(2):][:2+r.Intn(4)/3]
	fmt.Fprintf(w, "thread %s;\n", strings.Join(threads, ", "))
	w.procedure("void a()", globals)
	w.procedure("void b()", globals)
	w.procedure("bool f(p)", append([]string{"p"}, globals...))
	w.procedure("void v()", globals)
	return w.Builder.String()
}

// procedure writes a procedure; it has a local variable sometimes.
func (w *writer) procedure(head string, vars []string) {
	fmt.Fprintf(w, "%s begin\n", head)
	w.vars, w.result, w.budget = vars, strings.HasPrefix(head, "bool"), 2+w.Intn(5)
	if w.Intn(3) == 0 {
		w.WriteString("decl l;\n")
		w.vars = append(vars[:len(vars):len(vars)], "l")
	}
	if w.Intn(8) == 0 {
		w.WriteString("L:\n")
		w.label = 1
	} else {
		w.label = 0
	}
	for w.budget > 0 {
		w.statement()
	}
	if w.result {
		fmt.Fprintf(w, "return %s;\n", w.expr(2))
	}
	w.WriteString("end\n")
}

func (w *writer) pick() string { return w.vars[w.Intn(len(w.vars))] }

// plain returns an expression without choices.
func (w *writer) plain(depth int) string {
	if depth == 0 || w.Intn(3) == 0 {
		return []string{"", "!"}[w.Intn(2)] + w.pick()
	}
	op := []string{"&", "|", "=", "!=", "=>", "^"}[w.Intn(6)]
	return fmt.Sprintf("(%s %s %s)", w.plain(depth-1), op, w.plain(depth-1))
}

// expr returns an expression.
func (w *writer) expr(depth int) string {
	switch w.Intn(8) {
	case 0:
		return "*"
	case 1:
		return fmt.Sprintf("schoose[%s, %s]", w.plain(1), w.plain(1))
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", w.plain(1), w.expr(0), w.plain(1))
	case 3:
		return []string{"0", "1"}[w.Intn(2)]
	}
	return w.plain(depth)
}

// statement writes a statement.
func (w *writer) statement() {
	w.budget--
	n := w.Intn(16)
	if w.atomic && n >= 9 && n <= 12 {
		n = 0
	}
	switch n {
	default:
		fmt.Fprintf(w, "%s := %s;\n", w.pick(), w.expr(1))
	case 4:
		if a, b := w.pick(), w.pick(); a != b {
			fmt.Fprintf(w, "%s, %s := %s, %s", a, b, w.expr(1), w.expr(1))
			if w.Intn(2) == 0 {
				fmt.Fprintf(w, " constrain '%s = %s | '%s", a, b, b)
			}
			w.WriteString(";\n")
		}
	case 5:
		fmt.Fprintf(w, "assume(%s);\n", w.expr(1))
	case 6:
		if w.Intn(2) == 0 {
			fmt.Fprintf(w, "assert(%s | %s);\n", w.plain(1), w.plain(2))
		}
	case 7:
		fmt.Fprintf(w, "if %s then\n", w.expr(1))
		w.statement()
		if w.Intn(2) == 0 {
			w.WriteString("else\n")
			w.statement()
		}
		w.WriteString("fi\n")
	case 8:
		fmt.Fprintf(w, "while %s do\n", w.expr(1))
		w.statement()
		w.WriteString("od\n")
	case 9, 10:
		fmt.Fprintf(w, "%s := f(%s);\n", w.pick(), w.expr(1))
	case 11:
		w.WriteString("v();\n")
	case 12:
		w.atomic = true
		w.WriteString("atomic begin\n")
		w.statement()
		w.statement()
		w.WriteString("end\n")
		w.atomic = false
	case 13:
		if w.label == 1 {
			w.WriteString("goto L;\n")
		}
	case 14:
		fmt.Fprintf(w, "dead %s;\n", w.pick())
	}
}

// analyze decides a program with a method.
func analyze(t *testing.T, src string, m Method, contexts int) *Result {
	t.Helper()
	p, err := boolprog.Parse("test.bp", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	r, err := Analyze(context.Background(), p, Options{Contexts: contexts, Method: m, MaxNodes: 20_000_000})
	if err != nil {
		t.Fatalf("%v: %v\n%s", m, err, src)
	}
	return r
}

// TestRandom compares the methods with one another, with an enumeration of all states
// and with the reduction of pushdown systems, on random programs: the verdicts, and the
// global states at the end.
func TestRandom(t *testing.T) {
	n := *programs
	if testing.Short() {
		n = min(n, 100)
	}
	var c counts
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		src := randomProgram(rand.New(rand.NewSource(int64(seed))))
		if err := c.compare(t, src, 1+seed%3); err != nil {
			t.Fatalf("seed %d, %d contexts: %v\n%s", seed, 1+seed%3, err, src)
		}
	}
	t.Logf("%d programs: %d unsafe, %d safe ones enumerated in full, %d compared with their pushdown systems", n, c.unsafe, c.enumerated, c.pushdown)
}

// counts tells what programs were compared.
type counts struct{ unsafe, enumerated, pushdown int }

// compare decides a program in all ways. The error is that two of them differ.
func (c *counts) compare(t *testing.T, src string, contexts int) error {
	lazy := analyze(t, src, Lazy, contexts)
	p, _ := boolprog.Parse("test.bp", src)
	x := interp.Explore(p, interp.Bounds{Rounds: contexts, Depth: 4, States: 8_000})
	if x.Unsafe && !lazy.Unsafe || !x.Truncated && x.Unsafe != lazy.Unsafe {
		return fmt.Errorf("unsafe: lazy %t, explicit %t (truncated %t)", lazy.Unsafe, x.Unsafe, x.Truncated)
	}
	same := func(name string, unsafe bool, final func(globals []bool) bool) error {
		if unsafe != lazy.Unsafe {
			return fmt.Errorf("unsafe: lazy %t, %s %t", lazy.Unsafe, name, unsafe)
		}
		for i := range 1 << len(p.Globals) {
			if g := values(i, len(p.Globals)); !unsafe && final(g) != lazy.final(g) {
				return fmt.Errorf("final state %v: lazy %t, %s %t", g, lazy.final(g), name, final(g))
			}
		}
		return nil
	}
	for _, m := range Methods[1:] {
		r := analyze(t, src, m, contexts)
		if err := same(m.String(), r.Unsafe, r.final); err != nil {
			return err
		}
	}
	if unsafe, final, ok := byPushdown(p, contexts); ok {
		c.pushdown++
		if err := same("as a pushdown system", unsafe, final); err != nil {
			return err
		}
	}
	if lazy.Unsafe {
		c.unsafe++
		return nil
	}
	explicit := func(globals []bool) bool { return x.Final[interp.Bits(globals)] }
	if !x.Truncated {
		c.enumerated++
		return same("explicit", x.Unsafe, explicit)
	}
	for i := range 1 << len(p.Globals) {
		if g := values(i, len(p.Globals)); explicit(g) && !lazy.final(g) {
			return fmt.Errorf("final state %v: explicit, but not lazy", g)
		}
	}
	return nil
}
