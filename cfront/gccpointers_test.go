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

// pointerGen writes random programs over pointers, all of which are valid at any
// time. What a program does depends on the array k only, which another thread fills,
// so that nothing is known when the program is read.
type pointerGen struct {
	*rand.Rand
}

const pointerDecls = `
struct node { int v; struct node *n; int *ip; int a[2]; };
int k[6], g0 = 1, g1 = 2, arr[4] = {3, 4, 5, 6};
int *p0 = &g0;
struct node s0, s1, *q0 = &s0;
int inc(int x) { return x + 1; }
int dbl(int x) { return 2 * x; }
struct node *other(struct node *q) { if (q == &s0) return &s1; return q->n; }
void put(int *p, int v) { *p = v; }
void *fill(void *a) { k[0] = %d; k[1] = %d; k[2] = %d; k[3] = %d; k[4] = %d; k[5] = %d; return 0; }
`

const pointerLocals = `int l0 = 7, l1 = 8, la[3] = {9, 10, 11}, *p1 = &l0, *ap = arr, **pp = &p1, (*fp)(int) = inc;
struct node s2 = {20, &s0, &g1, {1, 2}}, *q1 = &s1, *m;
s0.n = &s1; s1.n = &s2; s0.ip = &g0; s1.ip = &l1; s0.v = 21; s1.v = 22;
`

// results are what is compared in the end.
var pointerResults = []string{"g0", "g1", "arr[0]", "arr[1]", "arr[2]", "arr[3]", "l0", "l1", "la[0]", "la[2]", "s0.v", "s1.v", "s2.v",
	"s0.a[0]", "s1.a[1]", "s2.a[1]", "*p0", "*p1", "**pp", "*ap", "q0->v", "q1->v", "q0->n->v", "*q1->ip", "fp(3)", "p0 == p1",
	"q0 == q1", "pp == &p1", "ap - arr", "m->v", "m->n->v", "*m->ip"}

func (g *pointerGen) k() string { return fmt.Sprintf("k[%d]", g.IntN(6)) }

func (g *pointerGen) intPtr() string {
	return pick(g.Rand, "p0", "p1", "ap", "*pp", "q0->ip", "q1->ip", "&g0", "&l1", "&arr["+g.k()+" & 3]", "&q0->v", "&q1->a["+g.k()+" & 1]", "&la[1]", "m->ip", "&m->v")
}

func (g *pointerGen) node() string {
	return pick(g.Rand, "q0", "q1", "q0->n", "q1->n", "&s0", "&s2", "q1->n->n", "m", "other("+pick(g.Rand, "q0", "q1")+")")
}

func (g *pointerGen) value() string {
	return pick(g.Rand, "*"+g.intPtr(), "("+g.node()+")->v", g.k(), fmt.Sprint(g.IntN(50)), "fp("+g.k()+")", "arr["+g.k()+" & 3]", "("+g.intPtr()+" == "+g.intPtr()+")", "("+g.node()+")->a["+g.k()+" & 1]")
}

func (g *pointerGen) statement(depth int) string {
	switch g.IntN(17) {
	case 0, 1:
		return fmt.Sprintf("*%s = %s;", pick(g.Rand, "p0", "p1", "ap", "*pp", "q0->ip"), g.value())
	case 2:
		return fmt.Sprintf("%s = %s ? %s : %s;", pick(g.Rand, "p0", "p1", "*pp", "q0->ip", "q1->ip"), g.k(), g.intPtr(), g.intPtr())
	case 3:
		return fmt.Sprintf("pp = %s ? &p0 : %s;", g.k(), pick(g.Rand, "&p1", "&q0->ip", "&q1->n->ip", "&s1.ip"))
	case 4:
		return fmt.Sprintf("%s = %s;", pick(g.Rand, "q0", "q1"), g.node())
	case 5:
		return fmt.Sprintf("%s = %s ? %s : %s;", pick(g.Rand, "q0", "q1", "q0->n", "m->n"), g.k(), g.node(), g.node())
	case 6:
		return fmt.Sprintf("(%s)->%s = %s;", g.node(), pick(g.Rand, "v", "a[0]", "a["+g.k()+" & 1]"), g.value())
	case 7:
		return fmt.Sprintf("ap = arr + ((ap - arr + %s) & 3);", g.k())
	case 8:
		return fmt.Sprintf("fp = %s ? inc : %s;", g.k(), pick(g.Rand, "dbl", "fp"))
	case 9:
		return fmt.Sprintf("m = malloc(sizeof *m); m->v = %s; m->n = %s; m->ip = %s; m->a[0] = m->a[1] = 5;", g.k(), pick(g.Rand, "q0", "q1", "&s1"), g.intPtr())
	case 10:
		return fmt.Sprintf("(*%s)%s;", g.intPtr(), pick(g.Rand, "++", " += 3", " ^= 5"))
	case 11:
		return fmt.Sprintf("*%s = *%s;", pick(g.Rand, "q0", "q1", "&s2"), g.node())
	case 12:
		return fmt.Sprintf("put(%s, %s);", g.intPtr(), g.value())
	case 13:
		if depth > 0 {
			return fmt.Sprintf("if (%s) { %s } else { %s }", pick(g.Rand, g.k(), g.intPtr()+" == "+g.intPtr(), g.value()+" > 6"), g.statement(depth-1), g.statement(depth-1))
		}
	case 14:
		if depth > 0 {
			return fmt.Sprintf("for (int i = 0; i < (%s & 3); i++) { %s }", g.k(), g.statement(depth-1))
		}
	case 15:
		return fmt.Sprintf("%s = (int *)((unsigned long)%s + %s);", "ap", "arr", pick(g.Rand, "4", "2 * sizeof(int)"))
	case 16:
		return fmt.Sprintf("{ int **x = %s; %s = *x; }", pick(g.Rand, "pp", "&q0->ip", "&p0"), pick(g.Rand, "p0", "p1", "m->ip"))
	}
	return "ap = &arr[" + g.k() + " & 3];"
}

// program returns a program whose main ends with the text end.
func (g *pointerGen) program(stmts int) (head, body string) {
	head = "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <stdio.h>\n" +
		fmt.Sprintf(pointerDecls, g.IntN(2), g.IntN(3), g.IntN(2), g.IntN(4), g.IntN(2), g.IntN(5)) +
		"int main(void) {\n" + pointerLocals + "m = malloc(sizeof *m); m->v = 30; m->n = &s0; m->ip = &la[2]; m->a[0] = m->a[1] = 4; s0.a[0] = s1.a[1] = 0; s0.a[1] = s1.a[0] = 1;\n" +
		"pthread_t t; pthread_create(&t, 0, fill, 0); pthread_join(t, 0);\n"
	for range stmts {
		body += g.statement(2) + "\n"
	}
	return head, body
}

// TestPointersAgainstGCC compares random programs over pointers with what gcc
// computes.
func TestPointersAgainstGCC(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 10
	}
	dir := t.TempDir()
	for i := range n {
		g := &pointerGen{Rand: rand.New(rand.NewPCG(uint64(i)+seed(t), 13))}
		head, body := g.program(4 + g.IntN(8))
		var show, check strings.Builder
		for _, r := range pointerResults {
			fmt.Fprintf(&show, "printf(\"%%d\\n\", (int)(%s));\n", r)
		}
		src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
		if err := os.WriteFile(src, []byte(head+body+show.String()+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cc", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-pthread", "-o", exe, src).CombinedOutput(); err != nil {
			t.Fatalf("cc: %v\n%s\n%s", err, out, head+body)
		}
		out, err := exec.Command(exe).Output()
		if err != nil {
			t.Log("skipped", i)
			continue // the values of integers grew beyond bounds
		}
		for j, w := range strings.Fields(string(out)) {
			fmt.Fprintf(&check, "assert((int)(%s) == %s);\n", pointerResults[j], w)
		}
		prog := head + body + check.String() + "return 0; }\n"
		for _, opts := range []Options{{Overflow: OverflowWrap}, {Overflow: OverflowWrap, Check: Checks{Memory: true}}} {
			res, err := Parse("p.c", []byte(prog), opts)
			if err != nil {
				t.Errorf("program %d: %v\n%s", i, err, body)
				continue
			}
			r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 200_000, InputDomain: inputDomain[:1]})
			if err != nil || r.Verdict != explore.Safe && !strings.HasPrefix(r.Reason, "safe for the restricted inputs") {
				t.Errorf("program %d, %+v: %v %v %s\n%s", i, opts.Check, err, r.Verdict, r.Reason, prog)
			}
		}
	}
}

// seed lets the environment choose other random programs.
func seed(t *testing.T) uint64 {
	var n uint64
	if s := os.Getenv("COMUS_POINTER_SEED"); s != "" {
		if _, err := fmt.Sscan(s, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
