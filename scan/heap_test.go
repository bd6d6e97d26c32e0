package scan_test

import (
	"testing"
)

const heapHeader = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item { int x, y; char name[16]; int z; struct item *next; };
struct other { int u; char text[40]; int v; };
pthread_t a, b;
struct item *p, *q;
struct other *o;
void *mem;
int k;
static void *xmalloc(size_t n) { void *r = malloc(n); if (!r) abort(); return r; }
static void *xcalloc(size_t n, size_t m) { void *r = xmalloc(n * m); memset(r, 0, n * m); return r; }
static struct item *make(int x) { struct item *r = xmalloc(sizeof *r); r->x = x; return r; }
static struct item *pick(int i) { return i ? p : q; }
#define THREADS(first, second) \
  static void *f1(void *arg) { first; return 0; } \
  static void *f2(void *arg) { second; return 0; }
#define MAIN(init) \
  int main(void) { init; pthread_create(&a, 0, f1, 0); pthread_create(&b, 0, f2, 0); return 0; }
`

// TestHeap has pairs of programs that differ in what is known of objects from the heap only: whether threads access the same one, and the same
// part of it.
func TestHeap(t *testing.T) {
	for _, c := range []struct {
		name, src string
		free      bool
	}{
		{"two calls of a wrapper", `THREADS(p->x++, q->x++) MAIN(p = xmalloc(sizeof *p); q = xmalloc(sizeof *q))`, true},
		{"one call of a wrapper", `THREADS(p->x++, q->x++) MAIN(p = q = xmalloc(sizeof *p))`, false},
		{"wrappers of wrappers", `THREADS(p->x++, q->x++) MAIN(p = xcalloc(1, sizeof *p); q = xcalloc(1, sizeof *q))`, true},
		{"makers", `THREADS(p->x++, q->x++) MAIN(p = make(1); q = make(2))`, true},
		{"one made", `THREADS(p->x++, pick(k)->x++) MAIN(p = make(1); q = make(2))`, false},
		{"a wrapper that calls itself", `static struct item *list(int n) { struct item *r = malloc(sizeof *r); r->x = 0; r->next = n ? list(n - 1) : 0; return r; }
			THREADS(p->next->x++, q->x++) MAIN(p = list(1); q = p->next)`, false},
		{"a wrapper that calls itself through a pointer", `static struct item *(*maker)(int); static struct item *list(int n) {
				struct item *r = malloc(sizeof *r); r->x = 0; r->next = n ? maker(n - 1) : 0; return r; }
			THREADS(p->next->x++, q->x++) MAIN(maker = list; p = list(1); q = p->next)`, false},
		{"a wrapper that keeps", `static struct item *kept; static struct item *keep(void) { if (!kept) kept = xmalloc(sizeof *kept); return kept; }
			THREADS(p->x++, q->x++) MAIN(p = keep(); q = keep())`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := analyse(t, load(t, text(t, heapHeader+c.src)).Program)
			_, suspects := r.RaceFree()
			if (suspects == 0) == c.free {
				return
			}
			t.Errorf("%d suspects", suspects)
			for _, l := range r.Locations {
				for _, s := range l.Suspects {
					t.Logf("%s: %s and %s", l.Name, line(s.A.Site), line(s.B.Site))
				}
			}
		})
	}
}
