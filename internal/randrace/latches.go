package randrace

import (
	"math/rand/v2"
	"slices"
	"strings"
)

const latchHead = `#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int alive, data, n = 2, told = 1;
atomic_int left;
bool go = true;
static void up(void) { pthread_mutex_lock(&m); alive++; pthread_mutex_unlock(&m); }
static void down(void) { pthread_mutex_lock(&m); alive--; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); }
static int living(void) { pthread_mutex_lock(&m); int x = alive; pthread_mutex_unlock(&m); return x; }
static void by(int x) { pthread_mutex_lock(&m); alive += x; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); }
static void await(int x) { pthread_mutex_lock(&m); while (alive != x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }
static int mode(void) { pthread_mutex_lock(&k); int x = told; pthread_mutex_unlock(&k); return x; }
static void set(int x) { pthread_mutex_lock(&k); told = x; pthread_mutex_unlock(&k); }
static void *f(void *arg);
static void *g(void *arg);
`

// latchForms are what threads do and what main does, in steps, in ways that have no race.
var latchForms = []struct{ f, g, main []string }{
	{[]string{"DATA", "down();"}, []string{"DATA", "down();"}, []string{"up();", "F", "up();", "G", "WAIT", "data = 2;"}},
	{[]string{"DATA", "down();"}, []string{"DATA", "down();"}, []string{"SET2", "F", "G", "WAIT", "data = 2;"}},
	{[]string{"DATA", "down();"}, nil, []string{"for (int i = 0; i < 2; i++) {", "up();", "F", "}", "WAIT", "data = 2;"}},
	{[]string{"DATA", "down();"}, nil, []string{"SETN", "for (int i = 0; i < n; i++)", "F", "WAIT", "data = 2;"}},
	{[]string{"up();", "DATA", "down();"}, nil, []string{"F", "F", "ALL", "WAIT", "data = 2;"}},
	{[]string{"up();", "DATA", "down();"}, nil, []string{"for (int i = 0; i < n; i++)", "F", "ALLN", "WAIT", "data = 2;"}},
	{[]string{"up();", "if (GO) {", "DATA", "}", "down();"}, nil, []string{"F", "F", "STOP", "WAIT", "data = 2;"}},
	{[]string{"up();", "G", "DATA", "down();"}, []string{"DATA", "down();"}, []string{"up();", "F", "WAIT", "data = 2;"}},
	{[]string{"DATA", "left--;"}, []string{"DATA", "left--;"}, []string{"left++;", "F", "left++;", "G", "while (left) ;", "data = 2;"}},
	{[]string{"DATA", "down();"}, nil, []string{"for (int r = 0; r < 2; r++) {", "up();", "F", "WAIT", "data = 2;", "}"}},
	{[]string{"DATA", "down();"}, []string{"up();", "F", "WAIT", "data = 2;"}, []string{"G"}},
	{[]string{"DATA", "up();"}, nil, []string{"F", "F", "ALL", "data = 2;"}},
	{[]string{"DATA", "up();"}, nil, []string{"for (int i = 0; i < n; i++)", "F", "ALLN", "data = 2;"}},
	{[]string{"DATA", "up();"}, []string{"DATA", "by(1);"}, []string{"F", "G", "MORE2", "data = 2;"}},
	{[]string{"DATA", "by(-1);"}, nil, []string{"for (int i = 0; i < n; i++) {", "by(1);", "F", "}", "await(0);", "data = 2;"}},
	{[]string{"by(1);", "DATA", "by(-1);"}, nil, []string{"F", "F", "await(2);", "await(0);", "data = 2;"}},
	{[]string{"up();", "if (mode() != 2) {", "DATA", "}", "down();"}, nil, []string{"F", "F", "MODE2", "WAIT", "data = 2;"}},
	{[]string{"by(1);", "while (mode() == 1) {", "DATA", "}", "by(-1);"}, nil, []string{"F", "F", "MODE2", "await(0);", "data = 2;"}},
}

// latchSteps are other steps.
var latchSteps = []string{"up();", "down();", "DATA", "data = 3;", "F", "G", "WAIT", "ALL", "SET2", "SET0", "STOP", "START", "POLL", "left--;", "left++;", "RELAXED", "if (living() == 0) data = 4;", "by(1);", "by(-1);", "by(2);", "await(0);", "await(2);", "MODE2", "MODE1", "MODE3", "MORE2", "if (mode() < 2) data = 6;", "if (GO) data = 5;"}

var latchTexts = strings.NewReplacer("DATA", "pthread_mutex_lock(&d); data = 1; pthread_mutex_unlock(&d);",
	"WAIT", "pthread_mutex_lock(&m); while (alive != 0) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);", "POLL", "while (living() > 0) ;", "MORE2", "while (living() < 2) ;", "MODE1", "set(1);", "MODE2", "pthread_mutex_lock(&k); told = 2; pthread_mutex_unlock(&k);", "MODE3", "pthread_mutex_lock(&k); told = 3; pthread_mutex_unlock(&k);",
	"ALLN", "while (living() != n) ;", "ALL", "while (living() != 2) ;", "SETN", "pthread_mutex_lock(&m); alive = n; pthread_mutex_unlock(&m);",
	"SET2", "pthread_mutex_lock(&m); alive = 2; pthread_mutex_unlock(&m);", "SET0", "pthread_mutex_lock(&m); alive = 0; pthread_mutex_unlock(&m);",
	"STOP", "pthread_mutex_lock(&k); go = false; pthread_mutex_unlock(&k);", "START", "pthread_mutex_lock(&k); go = true; pthread_mutex_unlock(&k);",
	"GO", "(pthread_mutex_lock(&k), on = go, pthread_mutex_unlock(&k), on)", "RELAXED", "atomic_fetch_sub_explicit(&left, 1, memory_order_relaxed);",
	"F", "pthread_create(&t, 0, f, 0);", "G", "pthread_create(&t, 0, g, 0);")

// Latches returns a program of a seed whose threads are counted, so that who sees that there are none any more knows what they have done; or something of that is wrong.
func Latches(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 23))}
	form := latchForms[g.r.IntN(len(latchForms))]
	code := [][]string{slices.Clone(form.f), slices.Clone(form.g), slices.Clone(form.main)}
	for range g.r.IntN(3) {
		g.mutate(&code[g.r.IntN(len(code))])
	}
	g.text(latchHead)
	for i, name := range []string{"static void *f(void *arg)", "static void *g(void *arg)", "int main(void)"} {
		g.line("%s {", name)
		g.indent = 1
		g.line("pthread_t t;")
		g.line("bool on;")
		for _, s := range code[i] {
			g.line("%s", latchTexts.Replace(s))
		}
		g.line("return 0;")
		g.indent = 0
		g.line("}")
	}
	return g.out.String()
}

// mutate changes something of some steps: one goes, comes twice, changes its place with another one, or is a new one. Braces stay.
func (g *generator) mutate(code *[]string) {
	c := *code
	brace := func(s string) bool { return strings.ContainsAny(s, "{}") || strings.HasPrefix(s, "for") }
	i := g.r.IntN(len(c) + 1)
	if i == len(c) || brace(c[i]) {
		*code = slices.Insert(c, i, latchSteps[g.r.IntN(len(latchSteps))])
		return
	}
	switch g.r.IntN(4) {
	case 0:
		c[i] = ";"
	case 1:
		*code = slices.Insert(c, i, c[i])
	case 2:
		if j := g.r.IntN(len(c)); !brace(c[j]) {
			c[i], c[j] = c[j], c[i]
		}
	default:
		*code = slices.Insert(c, i, latchSteps[g.r.IntN(len(latchSteps))])
	}
}
