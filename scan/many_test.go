package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"comus/scan"
)

// TestManyOfEach has several identities of threads, of which each has several threads at a time.
func TestManyOfEach(t *testing.T) {
	const n = 6
	var head, twice, once strings.Builder
	for i := range n {
		fmt.Fprintf(&head, "int g%d; static void *inc%d(void *p) { g%d++; return 0; }\n", i, i, i)
		fmt.Fprintf(&twice, "for (int i = 0; i < c; i++) pthread_create(&a, 0, inc%d, 0); ", i)
		fmt.Fprintf(&once, "pthread_create(&a, 0, inc%d, 0); ", i)
	}
	program := func(create string) string {
		return header + head.String() + "int main(int c, char **v) { " + create + "return 0; }"
	}
	r := analyse(t, load(t, text(t, program(twice.String()))).Program)
	for i := range n {
		if w := why(r, fmt.Sprint("g", i)); w != scan.Suspected {
			t.Errorf("g%d: %s", i, w)
		}
	}
	r = analyse(t, load(t, text(t, program(once.String()))).Program)
	for i := range n {
		if w := why(r, fmt.Sprint("g", i)); w == scan.Suspected {
			t.Errorf("g%d: %s", i, w)
		}
	}
}

// TestManyIdentities has so many identities of threads that one stands for those which several create: what it creates has no place among the others.
func TestManyIdentities(t *testing.T) {
	const n = 130
	var tops, main strings.Builder
	for i := range n {
		fmt.Fprintf(&tops, "static void *top%d(void *p) { pthread_t x; spawn(&x); pthread_join(x, 0); return 0; }\n", i)
		fmt.Fprintf(&main, "pthread_create(&a, 0, top%d, 0); pthread_join(a, 0); ", i)
	}
	const spawn = `static void *mid(void *p) { pthread_t x; pthread_create(&x, 0, inc, 0); pthread_join(x, 0); return 0; }
		static void spawn(pthread_t *x) { pthread_create(x, 0, mid, 0); }
		static void *early(void *p) { pthread_t x; spawn(&x); g = 1; pthread_join(x, 0); return 0; }
		static void first(void) { pthread_create(&a, 0, early, 0); pthread_join(a, 0); }
		`
	r := analyse(t, load(t, text(t, header+spawn+tops.String()+"int main(void) { first(); "+main.String()+"return 0; }")).Program)
	if w := why(r, "g"); w != scan.Suspected {
		t.Error(w)
	}
}

// why returns what excludes races at a location; Ordered if it is not among those that several threads access.
func why(r *scan.Result, name string) scan.Why {
	for _, l := range r.Locations {
		if l.Name == name {
			return l.Why
		}
	}
	return scan.Ordered
}
