package slice_test

import (
	"context"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/digest"
	"comus/scan"
	"comus/scan/slice"
)

const header = `#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <time.h>
pthread_t a, b;
pthread_mutex_t m, ms[4];
int g, flag;
struct node { int x, y; struct node *next; } *list;
static _Thread_local const char *own;
`

// begin creates two threads that run f.
const begin = " int main(int argc, char **argv) { pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0; }"

func parse(t *testing.T, source string) *cir.Program {
	t.Helper()
	p, err := cfront.LoadText(context.Background(), command.Invocation{File: "p.c"}, []byte(header+source), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// TestMatters has pairs of programs that differ in what matters: their slices must, too, and g is race-free in the first one only.
func TestMatters(t *testing.T) {
	thread := func(body string) string { return "static void *f(void *p) { " + body + " return 0; }" + begin }
	for _, c := range []struct{ name, free, racy string }{
		{"a lock", thread("pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m);"), thread("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); g++;")},
		{"the result of a lock", thread("if (pthread_mutex_trylock(&m) == 0) { g++; pthread_mutex_unlock(&m); }"), thread("if (pthread_mutex_trylock(&m) != 0) { g++; pthread_mutex_unlock(&m); }")},
		{"the result of a lock in a local", thread("int ok = 0; if (pthread_mutex_trylock(&m) == 0) ok = 1; if (ok == 1) { g++; pthread_mutex_unlock(&m); }"),
			thread("int ok = 0; if (pthread_mutex_trylock(&m) == 0) ok = 1; if (ok == 0) { g++; pthread_mutex_unlock(&m); }")},
		{"the result of a wrapper", "static int take(void) { int r = 0; if (pthread_mutex_trylock(&m) == 0) r = 3; return r; }" + thread("if (take() == 3) { g++; pthread_mutex_unlock(&m); }"),
			"static int take(void) { int r = 3; if (pthread_mutex_trylock(&m) == 0) r = 0; return r; }" + thread("if (take() == 3) { g++; pthread_mutex_unlock(&m); }")},
		{"an index of a lock", thread("int i = 1; int k = 1; pthread_mutex_lock(&ms[i]); g++; pthread_mutex_unlock(&ms[k]);"), thread("int i = p ? 1 : 2; pthread_mutex_lock(&ms[i]); g++; pthread_mutex_unlock(&ms[i]);")},
		{"an index that is given", "static void use(int i) { pthread_mutex_lock(&ms[i]); g++; pthread_mutex_unlock(&ms[i]); } static void *e(void *p) { use(1); return 0; } static void *f(void *p) { use(1); return 0; }" + begin,
			"static void use(int i) { pthread_mutex_lock(&ms[i]); g++; pthread_mutex_unlock(&ms[i]); } static void *f(void *p) { use(p ? 1 : 2); return 0; }" + begin},
		{"a flag", "static void *f(void *p) { g = 1; flag = 1; return 0; } int main(void) { pthread_create(&a, 0, f, 0); while (!__atomic_load_n(&flag, 2)) ; return g; }",
			"static void *f(void *p) { g = 1; flag = 1; return 0; } int main(void) { pthread_create(&a, 0, f, 0); while (__atomic_load_n(&flag, 2)) ; return g; }"},
		{"which literal", thread(`own = "a"; if (own != "b") pthread_mutex_lock(&m); g++; if (own != "b") pthread_mutex_unlock(&m);`),
			thread(`own = "a"; if (own == "b") pthread_mutex_lock(&m); g++; if (own == "b") pthread_mutex_unlock(&m);`)},
		{"where it is stored", thread("struct node n; n.x = 5; list = 0; if (n.x == 5) pthread_mutex_lock(&m); pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m);"), thread("list = 0; g++;")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sums [2]digest.Sum
			for i, source := range []string{c.free, c.racy} {
				p := parse(t, source)
				slice.Of(p)
				if err := p.Check(); err != nil {
					t.Fatal(err)
				}
				var err error
				if sums[i], _, err = digest.Of(p); err != nil {
					t.Fatal(err)
				}
				if suspected := suspects(t, p, "g"); i == 1 && !suspected {
					t.Errorf("no suspect in %s", source)
				} else if whole := suspects(t, parse(t, source), "g"); whole != suspected {
					t.Errorf("suspected: %t, of the slice %t, in %s", whole, suspected, source)
				}
			}
			if sums[0] == sums[1] {
				t.Error("both have the same slice")
			}
		})
	}
}

// suspects reports whether a variable is suspected.
func suspects(t *testing.T, p *cir.Program, name string) bool {
	t.Helper()
	r, err := scan.Analyse(context.Background(), p, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Locations {
		if l.Name == name && l.Why == scan.Suspected {
			return true
		}
	}
	return false
}

// TestKept has programs of which an access must not go with what is not needed: there is a suspect.
func TestKept(t *testing.T) {
	for _, body := range []string{
		"int x = g; g = 1;",                               // nobody wants to know what is loaded
		"if (g > 3) ; g = 4;",                             // a condition without a consequence
		"int x = 3; int *q = &x; *q = 4; q = &g; *q = 5;", // a local whose address is taken
		"list->x = 4; g++;",
		"int i; for (i = 0; i < 3; i++) g = i;",
		"memset(&g, 0, sizeof g);",
		"switch (list->x) { case 1: g = 2; break; case 2: break; }",
		"int x = list->x; x = x * 3; if (x > 2) x = 4; g = x;",
		"printf(\"%d\\n\", g); g++;",
		"sprintf((char *)&g, \"%d\", 3);",
		"long v = (long)&g; int *q = (int *)v; *q = 1;",
		"goto end; end: g++;",
	} {
		p := parse(t, "static void *f(void *p) { "+body+" return 0; }"+begin)
		slice.Of(p)
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		if !suspects(t, p, "g") {
			t.Errorf("no suspect: %s", body)
		}
	}
	p := parse(t, "static void *f(void *p) { time_t now = 0; struct tm *q = localtime(&now); return 0; }"+begin)
	slice.Of(p)
	r, err := scan.Analyse(context.Background(), p, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, n := r.RaceFree(); n == 0 {
		t.Error("no suspect for the library's own object, which nobody looks at")
	}
}

// TestSame has programs that differ in what does not matter: they have one slice.
func TestSame(t *testing.T) {
	const head = "static int quiet(int n, int k) { int s = 0; for (int i = 0; i < n; i++) { s += i; } return s; } static void *f(void *p) { "
	const one = head + "list->x = 4; g = quiet(3, 4) + 1; if (list->y > 3) printf(\"%d in\", g); return 0; }" + begin
	sum := func(source string) digest.Sum {
		p := parse(t, source)
		slice.Of(p)
		s, _, err := digest.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := sum(one)
	for _, source := range []string{
		head + "list->x = 7; g = quiet(3, 4) + 1; if (list->y > 3) printf(\"%d in\", g); return 0; }" + begin,
		head + "list->x = 4; g = quiet(3, 9) + 6; if (list->y <= 8) printf(\"%d out\", g); return 0; }" + begin,
		head + "int z = 3; list->x = 4; g = quiet(3, 4) + 1; if (list->y > 3) printf(\"%d in\", g); return 0; } static int unused(void) { return g; }" + begin,
		"static int quiet(int n, int k) { int s = 8; for (int i = 2; i < n * 2; i++) { s += i * 3; if (s > 20) s = k; } return s + 1; } static void *f(void *p) { " +
			"list->x = 4; g = quiet(3, 4) + 1; if (list->y > 3) printf(\"%d in\", g); return 0; }" + begin,
	} {
		if sum(source) != want {
			t.Errorf("another slice: %s", source)
		}
	}
	if sum(head+"list->x = 0; g = quiet(3, 4) + 1; if (list->y > 3) printf(\"%d in\", g); return 0; }"+begin) == want {
		t.Error("0 is as good as another number")
	}
}
