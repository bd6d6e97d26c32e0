package scan_test

import (
	"fmt"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// meetPrograms have a thread that hands an object on by a table under a lock, or keeps it, and says which by setting its own pointer to null. In the racy ones it keeps a pointer to
// what it has handed on, too.
func meetPrograms() (header string, list []pair) {
	const begin = `static void *put(void *arg) {
  struct e *n, *q = 0;
  for (int i = 0; i < 5; i++) {
`
	const end = `
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, put, 0);
  pthread_create(&u, 0, put, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
`
	header = `#include <pthread.h>
#include <stdlib.h>
struct e { struct e *next; int key, value; };
static struct e *table;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct e *find(int key) { struct e *x = table; while (x && x->key != key) x = x->next; return x; }
`
	program := func(body string) string { return begin + body + end }
	const alloc, insert = "n = malloc(sizeof *n); if (!n) return 0; n->key = i; n->value = 1;\n", "n->next = table; table = n;"
	lock := func(s string) string { return "pthread_mutex_lock(&m); " + s + " pthread_mutex_unlock(&m);\n" }
	return header, []pair{
		{"freed, if it is there already", program(alloc + lock("if (!find(i)) { "+insert+" n = 0; }") + "free(n);"), program(alloc + lock("if (!find(i)) { "+insert+" }") + "free(n);")},
		{"written, if it is kept", program(alloc + lock("if (!find(i)) { "+insert+" n = 0; }") + "if (n) n->value = 2;"), program(alloc + lock("if (!find(i)) { "+insert+" }") + "if (n) n->value = 2; " + lock("if (find(0)) find(0)->value++;"))},
		{"another name", program(alloc + "q = n; q->value = 5; q = 0;" + lock("if (!find(i)) { "+insert+" n = 0; }") + "if (n) free(n);"),
			program(alloc + "q = n;" + lock("if (!find(i)) { "+insert+" n = 0; }") + "q->value = 2; " + lock("if (find(0)) find(0)->value++;"))},
		{"kept for the next turn", program("if (!q) q = malloc(sizeof *q); if (!q) return 0; q->key = i; " + lock("if (!find(i)) { q->next = table; table = q; q = 0; }") + "if (q) q->value = 3;"),
			program("if (!q) q = malloc(sizeof *q); if (!q) return 0; q->key = i; " + lock("if (!find(i)) { q->next = table; table = q; }") + "if (q) q->value = 3; " + lock("if (find(0)) find(0)->value++;"))},
		{"of the turn before", program(alloc + "if (q) free(q); q = n;"), program(alloc + lock("if (q) q->value++; if (find(0)) find(0)->value++; "+insert) + "if (q) q->value = 2; q = n;")},
	}
}

// TestMeets asks about what the threads own.
func TestMeets(t *testing.T) {
	header, list := meetPrograms()
	checkPairs(t, header, list)
}

// TestMeetsForged claims of the racy programs that whatever a local holds where control flows meet is owned, in all ways, and that accesses of two threads are excluded by that.
func TestMeetsForged(t *testing.T) {
	header, list := meetPrograms()
	for _, c := range list {
		p := load(t, text(t, header+c.unsafe)).Program
		pts, err := pointsto.AnalyseOpen(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range []bool{false, true} {
			r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true, Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			claimed := ownMeets(r.Certificate, named)
			rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			if claimed == 0 {
				t.Errorf("%s: nothing is claimed", c.name)
			}
			open := 0
			for i, l := range r.Locations {
				if l.Why == scan.Suspected && !rep.Certified(i) {
					open++
				}
			}
			if open == 0 {
				t.Errorf("%s: all is certified (%d claims)", c.name, claimed)
			}
		}
	}
}

// ownMeets forges claims, and returns how many. named claims that locals hold what the names of meets say, too.
func ownMeets(c *certificate.Certificate, named bool) (n int) {
	for i := range c.Activations {
		for b := range c.Activations[i].Blocks {
			s := &c.Activations[i].Blocks[b]
			if s.Never {
				continue
			}
			for l := range 3 {
				meet := fmt.Sprintf("meet:%d:%d", b, l)
				s.Owned = append(s.Owned, meet)
				n++
				if !named {
					continue
				}
				found := false
				for k := range s.Cells {
					if s.Cells[k].Local == l {
						s.Cells[k].Is, found = certificate.Name{Base: meet}, true
					}
				}
				if !found {
					s.Cells = append(s.Cells, certificate.Cell{Local: l, Is: certificate.Name{Base: meet}})
				}
			}
		}
	}
	for i := range c.Locations {
		for g := range c.Locations[i].Groups {
			if x := &c.Locations[i].Groups[g]; len(x.Locks) == 0 {
				x.Own = true
			}
		}
	}
	forge(c, certificate.Own)
	return n
}
