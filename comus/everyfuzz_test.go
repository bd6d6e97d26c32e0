package comus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/explore"
	"comus/threadmodular"
)

// everyProgram is a random program in which a loop creates threads.
type everyProgram struct {
	r      *rand.Rand
	shared []string
	depth  int
}

func (g *everyProgram) pick(s ...string) string { return s[g.r.IntN(len(s))] }
func (g *everyProgram) v() string               { return g.pick(g.shared...) }
func (g *everyProgram) k() string               { return strconv.Itoa(g.r.IntN(4)) }

func (g *everyProgram) cond(local bool) string {
	a := g.v()
	if local && g.r.IntN(3) == 0 {
		a = g.pick("s", "t")
	}
	b := g.k()
	if local && g.r.IntN(4) == 0 {
		b = g.pick("s", "t")
	}
	return a + " " + g.pick("==", "!=", "<=", ">=", "<") + " " + b
}

// stmt returns a random statement; local tells whether it may use s and t.
func (g *everyProgram) stmt() string {
	g.depth++
	defer func() { g.depth-- }()
	n := 13
	if g.depth > 2 {
		n = 7
	}
	switch g.r.IntN(n) {
	case 0:
		return g.pick("s", "t") + " = " + g.v() + ";"
	case 1:
		return g.v() + " = " + g.pick("s", "t") + " + " + g.k() + ";"
	case 2:
		return g.v() + " = " + g.k() + ";"
	case 3:
		return g.v() + g.pick("++;", "--;")
	case 4:
		return "assert(" + g.cond(true) + ");"
	case 5:
		return "assume_abort_if_not(" + g.cond(true) + ");"
	case 6:
		return g.pick("s", "t") + " = __VERIFIER_nondet_bool();"
	case 7:
		return "if (" + g.cond(true) + ") { " + g.block(2) + " } else { " + g.block(1) + " }"
	case 8, 9:
		return "pthread_mutex_lock(&m); " + g.block(3) + " pthread_mutex_unlock(&m);"
	case 10:
		return "__VERIFIER_atomic_begin(); " + g.flat(3) + " __VERIFIER_atomic_end();"
	}
	if g.r.IntN(2) == 0 { // a test-and-set lock that may be broken
		a, b := g.v(), g.v()
		return "__VERIFIER_atomic_begin(); t = " + a + "; " + a + " = 1; __VERIFIER_atomic_end(); if (t == 0) { " +
			b + "++; assert(" + b + " <= " + g.k() + "); " + b + "--; " + g.pick("", "", g.block(1)) + a + " = 0; }"
	}
	return "__VERIFIER_atomic_begin(); t = " + g.v() + "; " + g.v() + " = 1; __VERIFIER_atomic_end(); if (t == 0) { " + g.block(3) + " " + g.v() + " = 0; }"
}

func (g *everyProgram) flat(n int) string {
	g.depth += 10
	defer func() { g.depth -= 10 }()
	return g.block(n)
}

func (g *everyProgram) block(n int) string {
	var out []string
	for range 1 + g.r.IntN(n) {
		out = append(out, g.stmt())
	}
	return strings.Join(out, " ")
}

// everyText returns the program with n threads of each kind, or with any number (n < 0).
func everyText(seed uint64, n int) string {
	g := &everyProgram{r: rand.New(rand.NewPCG(seed, 5)), shared: []string{"x", "y"}}
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <assert.h>\nextern void abort(void);\nextern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n" +
		"void assume_abort_if_not(int c) { if (!c) abort(); }\nsigned char x, y;\npthread_mutex_t m;\n")
	kinds := 1 + g.r.IntN(4)/3
	for i := range kinds {
		fmt.Fprintf(&b, "void *f%d(void *a) { int s = 0, t = 0; %s return 0; }\n", i, g.block(5))
	}
	single := g.r.IntN(3) == 0
	if single {
		fmt.Fprintf(&b, "void *h(void *a) { int s = 0, t = 0; %s return 0; }\n", g.block(3))
	}
	fmt.Fprintf(&b, "int main(void) { pthread_t p; int s = 0, t = 0; ")
	if g.r.IntN(2) == 0 {
		fmt.Fprintf(&b, "%s = %s; ", g.v(), g.k())
	}
	if single {
		b.WriteString("pthread_create(&p, 0, h, 0); ")
	}
	inside := ""
	if g.r.IntN(3) == 0 {
		inside = g.flat(1)
	}
	for i := range kinds {
		create := fmt.Sprintf("pthread_create(&p, 0, f%d, 0);", i)
		loop := "while (__VERIFIER_nondet_bool()) { %s %s }\n"
		if n >= 0 {
			loop = fmt.Sprintf("for (int i = 0; i < %d; i++) { %%s %%s }\n", n)
		}
		fmt.Fprintf(&b, loop, create, inside)
	}
	fmt.Fprintf(&b, "%s return 0; }\n", g.block(2))
	return b.String()
}

// template reads a program with any number of threads.
func template(t *testing.T, file string) *ir.Program {
	t.Helper()
	src, err := csource.ParseFile(file, csource.Options{Parametric: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Program.Check(); err != nil {
		t.Fatal(err)
	}
	src.Program.Renumber()
	return src.Program
}

// violated reports whether the explorer finds a violation with a number of threads.
func violated(t *testing.T, file string) bool {
	t.Helper()
	src, err := csource.ParseFile(file, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src.Program.Renumber()
	res, err := explore.Explore(t.Context(), src.Program, explore.Options{MaxStates: 100_000, Reduce: true})
	if err != nil {
		t.Fatal(err)
	}
	return res.Verdict == explore.Unsafe
}

// TestEveryRandom proves random programs for any number of threads. None of them has
// a violation with 1, 2, 3 or 4. More: COMUS_EVERY=2000, from COMUS_SEED.
func TestEveryRandom(t *testing.T) {
	long.Only(t)
	count, limit := 15, time.Second
	if testing.Short() {
		count = 10
	}
	seeds, more := randomSeeds(count)
	if more {
		limit = 4 * time.Second
	}
	dir := t.TempDir()
	proofs, unsafe := map[string]int{}, 0
	for _, seed := range seeds {
		file := filepath.Join(dir, "p.c")
		write := func(n int) {
			if err := os.WriteFile(file, []byte(everyText(seed, n)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(-1)
		p := template(t, file)
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
		cancel()
		if err == nil {
			proofs[proof.String()]++
			if err := check.Parametric(t.Context(), p, engine.CertificateOf(p, proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, everyText(seed, -1))
				continue
			}
		}
		for n := 1; n <= 4; n++ {
			write(n)
			if !violated(t, file) {
				continue
			}
			unsafe++
			if err == nil {
				t.Errorf("seed %d: proved (%s), but fails with %d threads\n%s", seed, proof, n, everyText(seed, n))
			}
			break
		}
	}
	t.Logf("%d programs: %d can fail, proofs: %v", len(seeds), unsafe, proofs)
	if len(proofs) == 0 || unsafe == 0 {
		t.Error("the programs are all of one kind")
	}
}

// countedText returns a random program in which a loop creates a certain number of
// threads that each change x a few times, and something checks how often.
func countedText(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 6))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	var body []string
	for range 1 + r.IntN(2) {
		body = append(body, pick("x++;", "t = x; x = t + 1;", "t = x; x = t + 2;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
			"if (x < 3) x = x + 1;", "y = x;", "if (y == 1) x = 0;", "t = y; y = t + 1; x = t;"))
	}
	check := fmt.Sprintf("assert(%s %s %d);", pick("x", "x", "y"), pick("<=", "<=", "!="), 2+r.IntN(11))
	h, create, last := "", "", check
	if r.IntN(2) == 0 {
		h, create, last = "void *h(void *a) { "+check+" return 0; }\n", "pthread_create(&p, 0, h, 0); ", ""
	}
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
int x, y;
pthread_mutex_t m;
void *f(void *a) { int t; %s return 0; }
%sint main(void) { pthread_t p; %sfor (int i = 0; i < 5; i++) pthread_create(&p, 0, f, 0); %s return 0; }
`, strings.Join(body, " "), h, create, last)
}

// TestEveryCounted reads random programs with 5 threads as ones with any number: what
// is proved has no violation.
func TestEveryCounted(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(10)
	proofs, unsafe := map[string]int{}, 0
	for _, seed := range seeds {
		text := countedText(seed)
		file := source(t, text)
		p := template(t, file)
		if len(p.Replicated()) != 1 {
			t.Fatal("no replicated thread")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
		cancel()
		if err == nil {
			proofs[proof.String()]++
			if err := check.Parametric(t.Context(), p, engine.CertificateOf(p, proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, text)
				continue
			}
		}
		if violated(t, file) {
			unsafe++
			if err == nil {
				t.Errorf("seed %d: proved (%s), but fails\n%s", seed, proof, text)
			}
		}
	}
	t.Logf("%d programs: %d can fail, proofs: %v", len(seeds), unsafe, proofs)
}

// spinText returns a random program with a lock made of a variable, which works or
// does not, with n threads, or with any number (n < 0).
func spinText(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	acquire := pick(
		"__VERIFIER_atomic_begin(); t = l; l = 1; __VERIFIER_atomic_end(); if (t != 0) return 0;",
		"__VERIFIER_atomic_begin(); t = l; l = 1; __VERIFIER_atomic_end(); if (t == 2) return 0;",
		"__VERIFIER_atomic_begin(); t = l; if (t == 0) l = 2; __VERIFIER_atomic_end(); if (t > 0) return 0;",
		"__VERIFIER_atomic_begin(); if (l != 0) abort(); l = 1; __VERIFIER_atomic_end();",
		"if (l != 0) return 0; l = 1;", "t = y; __VERIFIER_atomic_begin(); l++; t = l; __VERIFIER_atomic_end(); if (t > 1) return 0;")
	inside := pick("x++;", "s = x; x = s + 1;", "x++; y = x;") + fmt.Sprintf(" assert(x %s %d);", pick("==", "<=", "<"), 1+r.IntN(2)) + pick(" x--;", " x = 0;", "")
	release := pick("l = 0;", "l = 0;", "l = 0;", "if (t == 0) l = 0;", "")
	before := pick("", "", "y = 1;", "l = 0;")
	loop := "while (__VERIFIER_nondet_bool())"
	if n >= 0 {
		loop = fmt.Sprintf("for (int i = 0; i < %d; i++)", n)
	}
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
signed char x, y, l;
void *f(void *a) { int s, t = 0; %s %s %s %s return 0; }
int main(void) { pthread_t p; %s pthread_create(&p, 0, f, 0); return 0; }
`, before, acquire, inside, release, loop)
}

// TestEverySpin is TestEveryRandom for programs whose proofs are about two threads.
func TestEverySpin(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(4)
	proofs, unsafe := map[string]int{}, 0
	for _, seed := range seeds {
		p := template(t, source(t, spinText(seed, -1)))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
		cancel()
		if err == nil {
			proofs[proof.String()]++
			if err := check.Parametric(t.Context(), p, engine.CertificateOf(p, proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, spinText(seed, -1))
				continue
			}
		}
		for n := 1; n <= 3; n++ {
			if violated(t, source(t, spinText(seed, n))) {
				unsafe++
				if err == nil {
					t.Errorf("seed %d: proved (%s), but fails with %d threads\n%s", seed, proof, n, spinText(seed, n))
				}
				break
			}
		}
	}
	t.Logf("%d programs: %d can fail, proofs: %v", len(seeds), unsafe, proofs)
}
