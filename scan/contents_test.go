package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
)

// TestFirstContents has programs that differ in how others get to know an object which calloc or realloc has filled: what these write is a write of the thread that calls them.
func TestFirstContents(t *testing.T) {
	long.Only(t)
	const head = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct s { int a, b; };
_Atomic(struct s *) g;
struct s *h;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct s *make(void) { MAKE; return p; }
static void *reader(void *arg) { struct s *p = 0; GET; if (p) return (void *)(long)p->b; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  struct s *p = make();
  PUT;
  pthread_join(t, 0);
  return 0;
}
`
	const relaxedPut, relaxedGet = "atomic_store_explicit(&g, p, memory_order_relaxed)", "p = atomic_load_explicit(&g, memory_order_relaxed)"
	for _, make := range []string{
		"struct s *p = calloc(1, sizeof *p)",
		"struct s *p = calloc(sizeof *p, 3)",
		"struct s *o = malloc(4), *p = realloc(o, sizeof *p)",
		"struct s *p = reallocarray(malloc(8), 2, sizeof *p)",
		"struct s *p = malloc(sizeof *p); p->b = 1",
	} {
		for _, c := range []struct {
			name, put, get string
			free           bool
		}{
			{"release and acquire", "atomic_store_explicit(&g, p, memory_order_release)", "p = atomic_load_explicit(&g, memory_order_acquire)", true},
			{"relaxed", relaxedPut, relaxedGet, false},
			{"relaxed, read with acquire", relaxedPut, "p = atomic_load_explicit(&g, memory_order_acquire)", false},
			{"a lock", "pthread_mutex_lock(&m); h = p; pthread_mutex_unlock(&m)", "pthread_mutex_lock(&m); p = h; pthread_mutex_unlock(&m)", true},
			{"a lock of one of them", "pthread_mutex_lock(&m); h = p; pthread_mutex_unlock(&m)", "p = h", false},
			{"relaxed, the access locked", relaxedPut, relaxedGet + "; pthread_mutex_lock(&m); int b = p ? p->b : 0; pthread_mutex_unlock(&m); return (void *)(long)b", false},
		} {
			t.Run(make+"/"+c.name, func(t *testing.T) {
				p := load(t, text(t, strings.NewReplacer("MAKE", make, "GET", c.get, "PUT", c.put).Replace(head))).Program
				r, err := scan.Analyse(t.Context(), p, nil, scan.Options{Certificate: true, Whole: true})
				if err != nil {
					t.Fatal(err)
				}
				_, suspects := r.RaceFree()
				rep, err := scancheck.Check(t.Context(), p, r.Points, r.Certificate)
				if err != nil {
					t.Fatal(err)
				}
				all := true
				for i := range r.Locations {
					all = all && rep.Certified(i)
				}
				if (suspects == 0) != c.free || all != c.free {
					t.Errorf("%d suspects, all certified: %v; %v", suspects, all, rep.Wrong)
				}
			})
		}
	}
}
