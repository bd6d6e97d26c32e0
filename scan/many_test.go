package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"comus/internal/long"
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

// TestManySome has threads of which there are several at a time between such of which there is one only, and that another thread creates.
func TestManySome(t *testing.T) {
	const n = 8
	var head, create strings.Builder
	for i := range n {
		fmt.Fprintf(&head, "int g%d; static void *inc%d(void *p) { g%d++; return 0; }\n", i, i, i)
		if i%2 == 1 {
			create.WriteString("for (int i = 0; i < c; i++) ")
		}
		fmt.Fprintf(&create, "pthread_create(&a, 0, inc%d, 0); ", i)
	}
	for _, body := range []string{
		"int main(int c, char **v) { " + create.String() + "return 0; }",
		"static void *start(void *p) { int c = (long)p; " + create.String() + "return 0; } int main(int c, char **v) { pthread_create(&a, 0, start, (void *)(long)c); return 0; }",
	} {
		r := analyse(t, load(t, text(t, header+head.String()+body)).Program)
		for i := range n {
			if w := why(r, fmt.Sprint("g", i)); (w == scan.Suspected) != (i%2 == 1) {
				t.Errorf("g%d: %s", i, w)
			}
		}
	}
}

// TestManyIdentities has so many identities of threads that one stands for those which several create: what it creates, be it that this was found before, has no place
// among the others. There are threads that deep creates, and that early would create only later.
func TestManyIdentities(t *testing.T) {
	long.Only(t)
	const n = 114
	program := func(create string) string {
		return `static void *mid(void *p) { pthread_t x; pthread_create(&x, 0, locked, 0); pthread_join(x, 0); return 0; }
			static void spawn(pthread_t *x) { pthread_create(x, 0, mid, 0); }
			static void *early(void *p) { pthread_t x; spawn(&x); pthread_join(x, 0); return 0; }
			static void *deep(void *p) { pthread_t x; spawn(&x); pthread_join(x, 0); return 0; }
			static void *over(void *p) { pthread_t x; pthread_create(&x, 0, deep, 0); pthread_join(x, 0); return 0; }
			static void *above(void *p) { pthread_t x; pthread_create(&x, 0, over, 0); pthread_join(x, 0); return 0; }
			int main(void) { pthread_create(&a, 0, ` + create + `, 0); g = 1; pthread_join(a, 0); pthread_create(&a, 0, early, 0); pthread_join(a, 0); ` +
			strings.Repeat("pthread_create(&a, 0, nothing, 0); pthread_join(a, 0); ", n) + "return 0; }"
	}
	for create, suspected := range map[string]bool{"above": true, "nothing": false} {
		r := analyse(t, load(t, text(t, header+program(create))).Program)
		if w := why(r, "g"); (w == scan.Suspected) != suspected {
			t.Errorf("%s: %s", create, w)
		}
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
