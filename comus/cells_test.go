package comus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/comus/engine"
	"comus/cutpoints"
	"comus/internal/long"
	"comus/ir"
	"comus/resourceinv"
)

// withOneCell reads a program with one cell of each array. It returns nil if it has no array.
func withOneCell(t *testing.T, text string) *ir.Program {
	t.Helper()
	s, err := Open(t.Context(), File(source(t, text)), cfront.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := s.Read(t.Context(), engine.OneCell(Options{}.Question))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if index, _ := r.Program.Cells(); index == nil {
		return nil
	}
	r.Program.Renumber()
	return r.Program
}

// provedByCells reports whether a program is proved in some time; then the proof has to be right.
func provedByCells(t *testing.T, text string, limit time.Duration) bool {
	t.Helper()
	p := withOneCell(t, text)
	if p == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	proof, _, err := resourceinv.Prove(ctx, hclog.NewNullLogger(), resourceinv.Options{}, p)
	if err != nil {
		return false
	}
	cert := engine.ResourceCertificate(proof, true)
	cert.Verdict = "SAFE"
	if err := check.Parametric(t.Context(), p, cert); err != nil {
		t.Errorf("the proof is not confirmed: %v\n%s", err, text)
	}
	return true
}

const cellsHead = `#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
`

// cellsTests are programs that are proved, and what breaks them.
var cellsTests = []struct{ name, text, old, bad string }{
	{"ring", `
long ring[300]; unsigned head, tail, used;
void *producer(void *a) { for (;;) { long x = __VERIFIER_nondet_int(); if (x > 10) { pthread_mutex_lock(&m); if (used < 300) { ring[head] = x; head = (head + 1) % 300; used++; } pthread_mutex_unlock(&m); } } return 0; }
void *consumer(void *a) { for (;;) { pthread_mutex_lock(&m); if (used > 0) { long y = ring[tail]; tail = (tail + 1) % 300; used--; assert(y == 0 || y > 10); } pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, producer, 0); pthread_create(&q, 0, consumer, 0); return 0; }`, "x > 10", "x > 9"},
	{"stack", `
int full[1000], top;
void *push(void *a) { int x = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); if (x > 0 && top < 1000) full[top++] = x; pthread_mutex_unlock(&m); return 0; }
void *pop(void *a) { pthread_mutex_lock(&m); if (top > 0) assert(full[--top] > 0); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; while (__VERIFIER_nondet_bool()) { pthread_create(&p, 0, push, 0); pthread_create(&p, 0, pop, 0); } return 0; }`, "full[--top] > 0", "full[top--] > 0"},
	{"structs", `
struct { int low, high; } range[50];
void *narrow(void *a) { int i = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(); if (i < 0 || i >= 50 || x < 0 || x > 100) return 0;
	pthread_mutex_lock(&m); if (range[i].low <= x && x <= range[i].high) range[i].low = x; pthread_mutex_unlock(&m); return 0; }
void *widen(void *a) { int i = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(); if (i < 0 || i >= 50) return 0;
	pthread_mutex_lock(&m); if (x >= range[i].high) range[i].high = x; assert(range[i].low <= range[i].high); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q, r; pthread_create(&p, 0, narrow, 0); pthread_create(&q, 0, widen, 0); pthread_create(&r, 0, narrow, 0); return 0; }`, "<= x && x <= range[i].high", "<= x"},
	{"member", `
struct queue { int used; char slot[77]; int guard; } q;
void *put(void *a) { char c = __VERIFIER_nondet_int(); if (c < 1 || c > 9) return 0; pthread_mutex_lock(&m); if (q.used < 77) { q.slot[q.used] = c; q.used++; } pthread_mutex_unlock(&m); return 0; }
void *look(void *a) { int i = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); if (i >= 0 && i < 77) assert(q.slot[i] <= 9); assert(q.guard == 0); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; while (__VERIFIER_nondet_bool()) { pthread_create(&p, 0, put, 0); pthread_create(&p, 0, look, 0); } return 0; }`, "c > 9", "c > 10"},
	{"unknown size", `
int n, *seat;
void *sit(void *a) { int i = __VERIFIER_nondet_int(), who = __VERIFIER_nondet_int(); if (i < 0 || i >= n || who < 5) return 0; pthread_mutex_lock(&m); if (seat[i] == 3) seat[i] = who; assert(seat[i] >= 3); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 5000); seat = malloc(n * sizeof *seat); if (!seat) return 0;
	for (int i = 0; i < n; i++) seat[i] = 3; pthread_create(&p, 0, sit, 0); pthread_create(&q, 0, sit, 0); return 0; }`, "who < 5", "who < 2"},
	{"zeros", `
int n, *seat;
void *sit(void *a) { int i = __VERIFIER_nondet_int(); if (i < 0 || i >= n) return 0; pthread_mutex_lock(&m); if (seat[i] < 4) seat[i]++; assert(seat[i] <= 4); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 5000); seat = calloc(n, sizeof *seat); if (!seat) return 0;
	pthread_create(&p, 0, sit, 0); pthread_create(&q, 0, sit, 0); return 0; }`, "calloc(n, sizeof *seat)", "malloc(n * sizeof *seat)"},
}

// TestCells proves programs about one cell of each array, and none of those that have been broken.
func TestCells(t *testing.T) {
	for i, tt := range cellsTests {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			if !provedByCells(t, cellsHead+tt.text, time.Minute) {
				t.Error("no proof")
			}
			bad := strings.Replace(tt.text, tt.old, tt.bad, 1)
			if bad == tt.text {
				t.Fatal("there is nothing to break")
			}
			if provedByCells(t, cellsHead+bad, 2*time.Second) {
				t.Error("a proof of the broken program")
			}
		})
	}
}

// arrayText returns a random program with small arrays, mostly under a lock.
func arrayText(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 21))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	cell := func() string { return pick("a", "a", "b", "s") + "[" + pick("i", "i", "j", "j", "1", "2 - j") + "]" }
	element := func() string {
		c := cell()
		if c[0] == 's' {
			c += pick(".u", ".v")
		}
		return c
	}
	k := func() string { return strconv.Itoa(r.IntN(4)) }
	section := func() string {
		var body []string
		for range 1 + r.IntN(3) {
			body = append(body, pick(
				fmt.Sprintf("%s = %s;", element(), k()), fmt.Sprintf("%s = x;", element()), fmt.Sprintf("x = %s;", element()),
				fmt.Sprintf("%s = %s;", element(), element()), fmt.Sprintf("if (%s < 3) %s++;", element(), element()),
				fmt.Sprintf("if (%s == %s) %s = %s;", element(), k(), element(), k()),
				"if (j < 2) j++;", "j = 0;", "i = (i + 1) % 3;", "j = i;", fmt.Sprintf("if (x <= %s) %s = x;", k(), element()),
				fmt.Sprintf("{ signed char *e = &a[i]; *e = %s; }", k()),
				fmt.Sprintf("assert(%s %s %s);", element(), pick("<=", "<=", "!=", ">="), pick("3", "3", k(), element()))))
		}
		if r.IntN(8) == 0 {
			return strings.Join(body, " ")
		}
		return "pthread_mutex_lock(&m); " + strings.Join(body, " ") + " pthread_mutex_unlock(&m);"
	}
	var b strings.Builder
	b.WriteString(cellsHead + "signed char a[3], b[4]; struct { signed char u, v; } s[3]; unsigned char j;\n")
	kinds := 2
	for i := range kinds {
		fmt.Fprintf(&b, "void *f%d(void *arg) { signed char x = %d; unsigned char i = %s; if (i > 2) return 0; %s", i, r.IntN(3), pick("0", "1", "__VERIFIER_nondet_bool() + __VERIFIER_nondet_bool()"), section())
		for range r.IntN(2) {
			b.WriteString(" " + section())
		}
		b.WriteString(" return 0; }\n")
	}
	fmt.Fprintf(&b, "int main(void) { pthread_t p; %s", pick("", "a[1] = 1; ", "for (int k = 0; k < 3; k++) a[k] = 2; "))
	for i := range kinds {
		fmt.Fprintf(&b, "pthread_create(&p, 0, f%d, 0); ", i)
	}
	b.WriteString("return 0; }\n")
	return b.String()
}

// TestCellsRandom proves random programs with arrays: what is proved has no violation. More: COMUS_EVERY=2000, from COMUS_SEED.
func TestCellsRandom(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(18)
	proved, unsafe, open := 0, 0, 0
	for _, seed := range seeds {
		text := arrayText(seed)
		safe := provedByCells(t, text, time.Second)
		fails := violated(t, source(t, text))
		switch {
		case safe && fails:
			t.Errorf("seed %d: proved, but fails\n%s", seed, text)
		case safe:
			proved++
		case fails:
			unsafe++
		default:
			open++
		}
	}
	t.Logf("%d proved, %d can fail, %d open", proved, unsafe, open)
	if proved == 0 || unsafe == 0 {
		t.Error("the programs are all of one kind")
	}
}

// TestCellsMutated presents the proof of a program, changed at random, for one that is not safe: it is always refused.
func TestCellsMutated(t *testing.T) {
	long.Only(t)
	text := cellsHead + cellsTests[0].text
	good, bad := withOneCell(t, text), withOneCell(t, strings.Replace(text, cellsTests[0].old, cellsTests[0].bad, 1))
	proof, _, err := resourceinv.Prove(t.Context(), hclog.NewNullLogger(), resourceinv.Options{}, good)
	if err != nil {
		t.Fatal(err)
	}
	cert := engine.ResourceCertificate(proof, true)
	cert.Verdict = "SAFE"
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		list := slices.Clone(cert.Parametric.Invariants)
		for range 1 + r.IntN(3) {
			f, other := &list[r.IntN(len(list))].Formula, list[r.IntN(len(list))].Formula
			switch r.IntN(6) {
			case 0:
				*f = "true"
			case 1:
				*f = "false"
			case 2:
				*f = strings.Replace(*f, "10", "9", 1)
			case 3:
				*f = strings.Replace(*f, "cell", "ring[cell]", 1)
			case 4:
				*f = fmt.Sprintf("(or %s (= cell %d))", *f, r.IntN(2))
			default:
				*f = fmt.Sprintf("(and %s %s)", *f, other)
			}
		}
		mutant := *cert
		mutant.Parametric = &check.ParametricProof{Size: 1, Invariants: list}
		if err := check.Parametric(t.Context(), bad, &mutant); err == nil {
			t.Fatalf("a proof of a program that is not safe: %v", list)
		}
	}
}

// TestCellsOfOthers forges proofs: what is known of the cell of an array that one thread has alone is not known of its other cells because
// another thread reads a cell of another array.
func TestCellsOfOthers(t *testing.T) {
	long.Only(t)
	t.Parallel() // with others that take long, when the rest is done
	p := withOneCell(t, cellsHead+`
int own[10], other[10], ready, go;
void *f(void *a) { int i = __VERIFIER_nondet_int(); own[5] = 7; ready = 1; if (go == 1 && i >= 0 && i < 10) { int v = own[i]; assert(v == 7); } return 0; }
void *g(void *a) { int i = __VERIFIER_nondet_int(); if (ready == 1 && i >= 0 && i < 10) { other[i] = 1; int x = other[5]; if (x < 9) go = 1; } return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0); return 0; }`)
	cert := &check.Certificate{Verdict: "SAFE", Program: check.Program{Parametric: true, Cells: true}}
	var places []check.At
	for i, g := range cutpoints.Compute(p, cutpoints.Options{}) {
		th := check.Thread{Thread: i}
		for _, n := range g.Nodes {
			if !n.Error {
				places = append(places, check.At{Thread: i, Loc: n.Index})
			}
			th.Nodes = append(th.Nodes, n.Index)
			if g.Cut[n.Index] {
				th.Cuts = append(th.Cuts, n.Index)
			}
		}
		cert.Threads = append(cert.Threads, th)
	}
	const base = "(=> (= ready 0) (= go 0))"
	const own = base + " (=> (= go 1) (= |own[cell]| 7)) (=> (and (= ready 1) (= cell 5)) (= |own[cell]| 7))"
	const five = own + " (=> (= cell 5) (= |own[cell]| 7))"
	with := map[int][]string{0: {"true"}, 1: {own, five, five + " (= ready 1)", five + " (= ready 1) (= go 1)"}, 2: {base, base + " (= ready 1)"}}
	total := 1
	for _, at := range places {
		total *= len(with[at.Thread])
	}
	for n := range total {
		proof := &check.ParametricProof{Size: 1}
		for _, at := range places {
			fs := with[at.Thread]
			proof.Invariants = append(proof.Invariants, check.ParametricInvariant{At: []check.At{at}, Formula: "(and true " + fs[n%len(fs)] + ")"})
			n /= len(fs)
		}
		cert.Parametric = proof
		if err := check.Parametric(t.Context(), p, cert); err == nil {
			t.Fatalf("a forged proof: %v\n%s", proof.Invariants, p)
		}
	}
}
