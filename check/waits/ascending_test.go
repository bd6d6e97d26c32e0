package waits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"comus/internal/long"
)

// ordered are bodies of a function that holds two locks of one array, in one order, and in no order: there is a deadlock then, or somebody who waits for himself.
var ordered = []struct{ name, one, none string }{
	{"by index", "if (i < j) two(i, j); if (j < i) two(j, i);", "if (i < j) two(i, j); if (j > i) two(j, i);"},
	{"the same lock", "if (i == j) return; if (i < j) two(i, j); else two(j, i);", "if (i < j) two(i, j); else two(j, i);"},
	{"descending", "if (i > j) two(i, j); if (j > i) two(j, i);", "if (i > j) two(i, j); if (i < j) two(i, j);"},
	{"chosen", "int lo = i < j ? i : j, hi = i < j ? j : i; if (lo != hi) two(lo, hi);", "int lo = i < j ? i : j, hi = i < j ? j : i; if (lo != hi) two(i, j); hi++;"},
	{"swapped", "if (i > j) { int k = i; i = j; j = k; } if (i != j) two(i, j);", "if (i > j) { int k = i; j = i; i = k; } if (i != j) two(i, j); two(j, i);"},
	{"swapped once too often", "if (i > j) { int k = i; i = j; j = k; } if (i != j) two(i, j);", "if (i > j) { int k = i; i = j; j = k; } if (i != j) { int k = i; if (x) { i = j; j = k; } two(i, j); }"},
	{"neighbours in a circle", "if (i < 0 || i > 4) return; j = (i + 1) % 5; if (i < j) two(i, j); else two(j, i);", "if (i < 0 || i > 4) return; j = (i + 1) % 5; two(i, j);"},
	{"the last one the other way round", "if (i < 0 || i > 4) return; j = i + 1; if (i == 4) two(0, i); else two(i, j);", "if (i < 0 || i > 4) return; j = (i + 1) % 5; if (i == 3) two(0, i); else two(i, j);"},
	{"constants", "two(0, 1); two(1, 2);", "two(0, 1); two(1, 0);"},
	{"without signs", "unsigned a = i, b = j; if (a < b) two(a, b);", "unsigned a = i, b = j; if (a < b) two(i, j); if (a > b) two(i, j);"},
	{"a comparison without signs", "unsigned a = i, b = j; a %= 7; b %= 7; if (a < b) two(a, b);", "if ((unsigned)i < (unsigned)j) two(i, j);"},
	{"narrow", "unsigned char a = i, b = j; if (a < b) two(a, b);", "unsigned char a = i, b = j; if (i < j) two(a, b);"},
	{"wide", "long a = i, b = j; if (a < b) two(a, b);", "long a = i * 4294967296, b = j * 4294967296; if (a < b) two((int)a + i, (int)b + j);"},
	{"backwards by a large number", "unsigned long a = i, b = j; if (i >= 0 && j >= 0 && a < b) { pthread_mutex_t *p = m + 4; pthread_mutex_lock(&p[a]); pthread_mutex_lock(&p[b]); pthread_mutex_unlock(&p[a]); pthread_mutex_unlock(&p[b]); }",
		"unsigned long a = i - 1, b = j - 1; if (a < b) { pthread_mutex_t *p = m + 4; pthread_mutex_lock(&p[a]); pthread_mutex_lock(&p[b]); pthread_mutex_unlock(&p[a]); pthread_mutex_unlock(&p[b]); }"},
	{"in a loop", "for (int k = 0; k < 9; k++) { i = rand() % 5; j = rand() % 5; if (i < j) two(i, j); }", "for (int k = 0; k < 9; k++) { if (i < j) two(i, j); i = rand() % 5; }  for (int k = 0; i < j; k++) { i = rand() % 5; two(i, j); }"},
	{"changed in a loop", "if (i < j) { for (int k = 0; k < 9; k++) two(i, j); }", "if (i < j) { for (int k = 0; k < 9; k++) { two(i, j); i++; } }"},
	{"one after the other", "pthread_mutex_lock(&m[i]); pthread_mutex_unlock(&m[i]); pthread_mutex_lock(&m[j]); pthread_mutex_unlock(&m[j]);", "pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[j]); pthread_mutex_unlock(&m[i]); pthread_mutex_unlock(&m[j]);"},
	{"the index is changed meanwhile", "if (i < j) { pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[j]); pthread_mutex_unlock(&m[i]); pthread_mutex_unlock(&m[j]); }",
		"if (i < j) { int k = i; pthread_mutex_lock(&m[j]); i = k - 1; pthread_mutex_lock(&m[i]); pthread_mutex_unlock(&m[i]); pthread_mutex_unlock(&m[j]); two(i, j); }"},
	{"by address", "pthread_mutex_t *p = &m[i], *q = &m[j]; if (p < q) both(p, q); else if (q < p) both(q, p);", "pthread_mutex_t *p = &m[i], *q = &m[j]; if (p < q) both(p, q); else if (q < p) both(p, q);"},
	{"by address of others", "pthread_mutex_t *p = &m[i], *q = &m[j]; if (p < q) both(p, q);", "pthread_mutex_t *p = &m[i], *q = &m[j]; if (&m[j] < &m[i]) both(q, p); if (x) both(p, q);"},
	{"members", "if (i != j) { struct s *a = &s[i < j ? i : j], *b = &s[i < j ? j : i]; pthread_mutex_lock(&a->m); pthread_mutex_lock(&b->m); pthread_mutex_unlock(&a->m); pthread_mutex_unlock(&b->m); }",
		"if (i != j) { struct s *a = &s[i < j ? i : j], *b = &s[i < j ? i : j]; pthread_mutex_lock(&a->m); pthread_mutex_lock(&b->m); pthread_mutex_unlock(&a->m); pthread_mutex_unlock(&b->m); }"},
	{"a switch", "switch (i) { case 1: two(1, 3); break; case 0: two(i, 2); }", "switch (i) { case 3: two(2, i); break; case 4 ... 6: two(i, 5); }"},
	{"an overflow that wraps", "unsigned a = i, b = a + 1u; if (a < 5u) two(a, b);", "unsigned a = i, b = a + 1u; two(a, b);"},
	{"a goto into a loop", "if (i < j) two(i, j);", "if (i > j) goto in; for (;;) { i = rand() % 5; if (i < 3) break; in: two(j, i); }  two(i, j);"},
	{"three", "if (i < j && j < x) { pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[j]); pthread_mutex_lock(&m[x]); pthread_mutex_unlock(&m[x]); pthread_mutex_unlock(&m[j]); pthread_mutex_unlock(&m[i]); }",
		"if (i < j && j < x) { pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[x]); pthread_mutex_lock(&m[j]); pthread_mutex_unlock(&m[x]); pthread_mutex_unlock(&m[j]); pthread_mutex_unlock(&m[i]); }"},
}

// conditional are bodies of a function that takes and gives back a lock on some ways only, and such as may return with it.
var conditional = []struct{ name, one, none string }{
	{"twice the same condition", "int lo = i < j ? i : j, hi = i < j ? j : i; L(lo); if (hi != lo) L(hi); n++; if (hi != lo) U(hi); U(lo);", "int lo = i < j ? i : j, hi = i < j ? j : i; L(lo); if (hi != lo) L(hi); n++; if (hi > lo + 1) U(hi); U(lo);"},
	{"the other way round", "if (x) L(i); n++; if (!x) return; U(i);", "if (x) L(i); n++; if (x) return; U(i);"},
	{"changed meanwhile", "if (x) L(i); for (int k = 0; k < 3; k++) n++; if (x) U(i);", "if (x) L(i); for (int k = 0; k < 3; k++) x = n; if (x) U(i);"},
	{"another one", "int k = i; if (x) L(k); if (x) U(i);", "int k = i; i++; if (x) L(k); if (x) U(i);"},
	{"in a loop", "for (int k = 0; k < 3; k++) { L(i); n++; U(i); }", "for (;;) { i = rand() % 5; L(i); if (x || n) break; } U(i);"},
	{"both ways", "if (x) L(i); else L(j); n++; if (x) U(i); else U(j);", "if (x) L(i); else L(j); n++; if (x) U(j); else U(i);"},
	{"a wait", "if (x) { L(i); while (!n) { struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); } } n++; if (x) U(i);", "if (x) { L(i); while (!n) { struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); } } n++; if (n > 3) U(i);"},
	{"a wait, and a return", "L(i); struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); U(i);", "L(i); struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); if (n) U(i);"},
	{"a wait for one of two", "L(i); struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); U(i); L(j); U(j);", "L(i); struct timespec t = {0}; pthread_cond_timedwait(&cv, &m[i], &t); if (n) return; U(i);"},
	{"tried", "int got = pthread_mutex_trylock(&m[i]); if (got != 0) return; n++; U(i);", "int got = pthread_mutex_trylock(&m[i]); if (got != 0) return; if (n++ == 7) return; U(i);"},
	{"by a switch", "switch (x) { case 1: case 2: L(i); } n++; switch (x) { case 1: case 2: U(i); }", "switch (x) { case 1: case 2: L(i); } n++; switch (x) { case 1: case 3: U(i); }"},
	{"a pointer", "pthread_mutex_t *p = x ? &m[i] : NULL; if (p) pthread_mutex_lock(p); n++; if (p) pthread_mutex_unlock(p);", "pthread_mutex_t *p = x ? &m[i] : NULL; if (p) pthread_mutex_lock(p); n++; if (p && j) pthread_mutex_unlock(p);"},
}

// holdingTwo is a program whose threads run a body.
func holdingTwo(body string) string {
	return `#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static pthread_mutex_t m[8];
static struct s { int n; pthread_mutex_t m; } s[8];
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static _Atomic int n;
#define L(i) pthread_mutex_lock(&m[i])
#define U(i) pthread_mutex_unlock(&m[i])
#define two(a, b) do { pthread_mutex_lock(&m[a]); pthread_mutex_lock(&m[b]); pthread_mutex_unlock(&m[b]); pthread_mutex_unlock(&m[a]); } while (0)
static void both(pthread_mutex_t *a, pthread_mutex_t *b) { pthread_mutex_lock(a); pthread_mutex_lock(b); pthread_mutex_unlock(b); pthread_mutex_unlock(a); }
#define both(a, b) do { pthread_mutex_lock(a); pthread_mutex_lock(b); pthread_mutex_unlock(b); pthread_mutex_unlock(a); } while (0)
static void f(int i, int j, int x) { ` + body + ` }
static void *thread(void *p) { (void)both; f(rand() % 5, rand() % 5, rand() % 5); return NULL; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 8; i++) { pthread_mutex_init(&m[i], NULL); pthread_mutex_init(&s[i].m, NULL); }
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, thread, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
`
}

// TestAscending finds out whether two locks of one array are always taken in the order of their addresses, and given back wherever they are taken.
func TestAscending(t *testing.T) {
	for i, p := range append(slices.Clip(ordered), conditional...) {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			if _, err := loadText(t, holdingTwo(p.one)).arranged(t); err != nil {
				t.Error(err)
			}
			if _, err := loadText(t, holdingTwo(p.none)).arranged(t); err == nil {
				t.Error("there is an order where there is none")
			}
		})
	}
}

// chooser makes a random way to choose two locks by two numbers, and knows what it chooses.
type chooser struct {
	*rand.Rand
	text  strings.Builder
	steps []func(v *[4]int) // what happens to i, j, a and b
}

var chosen = []string{"i", "j", "a", "b"}

// relation returns a random comparison of two variables, and who evaluates it.
func (c *chooser) relation() (string, func(v *[4]int) bool) {
	x, y, k := c.IntN(4), c.IntN(4), c.IntN(5)
	return chosen[x] + []string{" < ", " <= ", " == ", " != ", " > "}[k] + chosen[y], func(v *[4]int) bool {
		return []bool{v[x] < v[y], v[x] <= v[y], v[x] == v[y], v[x] != v[y], v[x] > v[y]}[k]
	}
}

func (c *chooser) step() (string, func(v *[4]int)) {
	x, y, z := 2+c.IntN(2), c.IntN(4), c.IntN(4)
	switch c.IntN(5) {
	case 0:
		return chosen[x] + " = " + chosen[y] + ";", func(v *[4]int) { v[x] = v[y] }
	case 1:
		text, holds := c.relation()
		return chosen[x] + " = " + text + " ? " + chosen[y] + " : " + chosen[z] + ";", func(v *[4]int) {
			if holds(v) {
				v[x] = v[y]
			} else {
				v[x] = v[z]
			}
		}
	case 2:
		return "{ int k = " + chosen[x] + "; " + chosen[x] + " = " + chosen[5-x] + "; " + chosen[5-x] + " = k; }", func(v *[4]int) { v[x], v[5-x] = v[5-x], v[x] }
	case 3:
		n := 2 + c.IntN(4)
		return fmt.Sprintf("%s = (%s + 1) %% %d;", chosen[x], chosen[y], n), func(v *[4]int) { v[x] = (v[y] + 1) % n }
	}
	text, holds := c.relation()
	inner, does := c.step()
	return "if (" + text + ") { " + inner + " }", func(v *[4]int) {
		if holds(v) {
			does(v)
		}
	}
}

// TestRandomAscending compares what is found out about the order of two locks with all that may be chosen.
func TestRandomAscending(t *testing.T) {
	proved, tried := 0, 0
	for seed := range uint64(long.N(60, 20)) {
		c := &chooser{Rand: rand.New(rand.NewPCG(seed, 5))}
		c.text.WriteString("if (i < 0 || i > 4 || j < 0 || j > 4) return; int a = i, b = j; ")
		for range 1 + c.IntN(3) {
			text, does := c.step()
			c.text.WriteString(text + " ")
			c.steps = append(c.steps, does)
		}
		text, holds := c.relation()
		c.text.WriteString("if (" + text + ") two(a, b);")
		up, down, never := true, true, true
		for i := range 5 {
			for j := range 5 {
				v := [4]int{i, j, i, j}
				for _, does := range c.steps {
					does(&v)
				}
				if holds(&v) {
					up, down, never = up && v[2] < v[3], down && v[2] > v[3], false
				}
			}
		}
		tried++
		switch _, err := loadText(t, holdingTwo(c.text.String())).arranged(t); {
		case err != nil:
		case !up && !down:
			t.Errorf("seed %d: there is no order: %s", seed, c.text.String())
		case !never:
			proved++
		}
	}
	if proved == 0 {
		t.Errorf("none of %d programs is proved", tried)
	}
	t.Logf("%d of %d", proved, tried)
}
