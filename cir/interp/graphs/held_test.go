package graphs_test

import (
	"slices"
	"strings"
	"testing"

	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/memory"
)

const head = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"

// TestLives explores programs in which a thread accesses what another one has on its stack, or as its own variable, right until it ends, or perhaps later.
func TestLives(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		safe       bool
	}{
		{"a local, perhaps after its end", `static atomic_int *p;
static void *a(void *u) { atomic_store_explicit(p, 1, memory_order_relaxed); return u; }
static void f(pthread_t *t) { atomic_int z = 0; p = &z; pthread_create(t, 0, a, 0); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
		{"a plain local, perhaps after its end", `static int *p; static atomic_int x;
static void *a(void *u) { *p = 1; atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
static void f(pthread_t *t) { int z = 0; p = &z; pthread_create(t, 0, a, 0); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
		{"a local, before its end", `static int *p; static atomic_int x;
static void *a(void *u) { *p = 1; atomic_store_explicit(&x, 1, memory_order_release); return u; }
static void f(pthread_t *t) { int z = 0; p = &z; pthread_create(t, 0, a, 0); while (!atomic_load_explicit(&x, memory_order_acquire)) ; assert(z); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, true},
		{"a local, not known to be before its end", `static int *p; static atomic_int x;
static void *a(void *u) { *p = 1; atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
static void f(pthread_t *t) { int z = 0; p = &z; pthread_create(t, 0, a, 0); while (!atomic_load_explicit(&x, memory_order_acquire)) ; }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
		{"an atomic local, before its end, as it has seen what was written", `static atomic_int *_Atomic p;
static void *a(void *u) { atomic_int *q; while (!(q = atomic_load_explicit(&p, memory_order_relaxed))) ; atomic_store_explicit(q, 1, memory_order_relaxed); return u; }
static void f(pthread_t *t) { atomic_int z = 0; atomic_store_explicit(&p, &z, memory_order_release); pthread_create(t, 0, a, 0); while (!atomic_load_explicit(&z, memory_order_relaxed)) ; }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, true},
		{"an atomic local, of which it has seen one write of two", `static atomic_int *_Atomic p;
static void *a(void *u) { atomic_int *q; while (!(q = atomic_load_explicit(&p, memory_order_relaxed))) ; atomic_store_explicit(q, 1, memory_order_release); atomic_store_explicit(q, 2, memory_order_release); return u; }
static void f(pthread_t *t) { atomic_int z = 0; atomic_store_explicit(&p, &z, memory_order_release); pthread_create(t, 0, a, 0); while (!atomic_load_explicit(&z, memory_order_acquire)) ; }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
		{"a condition variable that is signalled behind the lock", `struct w { pthread_cond_t c; int done; }; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x;
static void *a(void *p) { struct w *w = p; atomic_store_explicit(&x, 1, memory_order_relaxed); pthread_mutex_lock(&m); w->done = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&w->c); return 0; }
static void f(pthread_t *t) { struct w w = {PTHREAD_COND_INITIALIZER, 0}; pthread_create(t, 0, a, &w); pthread_mutex_lock(&m); while (!w.done) pthread_cond_wait(&w.c, &m); pthread_mutex_unlock(&m); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
		{"a condition variable that is signalled before", `struct w { pthread_cond_t c; int done; }; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x;
static void *a(void *p) { struct w *w = p; atomic_store_explicit(&x, 1, memory_order_relaxed); pthread_mutex_lock(&m); w->done = 1; pthread_cond_signal(&w->c); pthread_mutex_unlock(&m); return 0; }
static void f(pthread_t *t) { struct w w = {PTHREAD_COND_INITIALIZER, 0}; pthread_create(t, 0, a, &w); pthread_mutex_lock(&m); while (!w.done) pthread_cond_wait(&w.c, &m); pthread_mutex_unlock(&m); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, true},
		{"a local that begins anew", `static int *volatile p; static atomic_int x;
static void *a(void *u) { *p = 1; atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) { int z = 0; if (i == 0) { p = &z; pthread_create(&t, 0, a, 0); } } pthread_join(t, 0); return 0; }`, false},
		{"a thread's own variable, perhaps after its end", `static _Thread_local atomic_int mine; static atomic_int *_Atomic p;
static void *a(void *u) { atomic_store(&p, &mine); return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, a, 0); atomic_int *q; while (!(q = atomic_load(&p))) ; atomic_store(q, 1); pthread_join(t, 0); return 0; }`, false},
		{"memory of alloca, perhaps after its end", `static int *p; static atomic_int x;
static void *a(void *u) { *p = 1; atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
static void f(pthread_t *t) { p = __builtin_alloca(4); *p = 0; pthread_create(t, 0, a, 0); }
int main(void) { pthread_t t; f(&t); pthread_join(t, 0); return 0; }`, false},
	} {
		p := load(t, head+tc.text)
		for _, last := range []bool{false, true} {
			wrong := false
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: memory.RC11, Run: options, Last: last}, func(ex *graphs.Execution) bool {
				wrong = wrong || ex.Result.Outcome != interp.Exited && ex.Result.Outcome != interp.Deadlock || len(ex.Result.Races) > 0
				return false
			})
			if safe := r != nil && r.Complete && !wrong; err != nil || safe != tc.safe {
				t.Errorf("%s, %t: %+v, wrong: %t, %v", tc.name, last, r, wrong, err)
			}
		}
	}
}

// TestReaders has store buffering between sections of readers, which POSIX does not order: that it cannot happen is an assumption.
func TestReaders(t *testing.T) {
	const text = `static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static atomic_int x, y; static int a, b;
#define BY(f, mine, his, r) static void *f(void *u) { pthread_rwlock_HOWlock(&l); atomic_store_explicit(&mine, 1, memory_order_relaxed); pthread_rwlock_unlock(&l); \
  pthread_rwlock_HOWlock(&l); r = atomic_load_explicit(&his, memory_order_relaxed); pthread_rwlock_unlock(&l); return u; }
BY(f, x, y, a) BY(g, y, x, b)
int main(void) { pthread_t t, v; pthread_create(&t, 0, f, 0); pthread_create(&v, 0, g, 0); pthread_join(t, 0); pthread_join(v, 0); assert(a || b); return 0; }`
	for how, assumed := range map[string]bool{"rd": true, "wr": false} {
		fails := false
		r, err := graphs.Explore(t.Context(), load(t, head+strings.ReplaceAll(text, "HOW", how)), graphs.Options{Model: memory.RC11, Run: options}, func(ex *graphs.Execution) bool {
			fails = fails || ex.Result.Outcome == interp.AssertFails
			return false
		})
		if err != nil || !r.Complete || fails {
			t.Fatalf("%s: %+v, fails: %t, %v", how, r, fails, err)
		}
		if is := slices.ContainsFunc(r.Notes, func(n interp.Note) bool { return n.Check == "assumption" && strings.Contains(n.Why, "read-write lock") }); is != assumed {
			t.Errorf("%s: assumed: %t", how, is)
		}
	}
}

// TestKept explores programs in which something besides memory decides what comes: a value that a loop does not name, a lock that others try to take while it is held, memory that is copied as a whole.
func TestKept(t *testing.T) {
	for _, tc := range []struct {
		name, text      string
		fails, complete bool
	}{
		{"a sum that is half done while a loop waits", `static atomic_int x;
static void *a(void *u) { atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, a, 0); int v = 0;
  while (v < 9) v = (v + 1) + ({ while (!atomic_load_explicit(&x, memory_order_relaxed)) ; 0; });
  pthread_join(t, 0); assert(v != 9); return 0; }`, true, true},
		{"a lock that is held while another thread reads who had it before", `static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x, y, z; static int n;
static void *e(void *u) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); atomic_store_explicit(&z, 1, memory_order_relaxed); return u; }
static void *b(void *u) { while (!atomic_load_explicit(&y, memory_order_relaxed)) ; pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return u; }
static void *a(void *u) { while (!atomic_load_explicit(&z, memory_order_relaxed)) ; pthread_mutex_lock(&m); n++; atomic_store_explicit(&y, 1, memory_order_relaxed); while (!atomic_load_explicit(&x, memory_order_relaxed)) ; pthread_mutex_unlock(&m); return u; }
static void *c(void *u) { atomic_store_explicit(&x, 1, memory_order_relaxed); return u; }
int main(void) { pthread_t t[4];
  pthread_create(t, 0, b, 0); pthread_create(t + 1, 0, a, 0); pthread_create(t + 2, 0, c, 0); pthread_create(t + 3, 0, e, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(n == 3); return 0; }`, false, true},
		{"an object that is freed", `struct s { atomic_int refs; int n; };
static void *f(void *p) { struct s *s = p; s->n++; if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) free(s); return 0; }
int main(void) { pthread_t t; struct s *s = calloc(1, sizeof *s); atomic_init(&s->refs, 2); pthread_create(&t, 0, f, s); if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) { assert(s->n == 1); free(s); } pthread_join(t, 0); return 0; }`, false, true},
		{"an object that is allocated anew", `struct s { atomic_int x; int more[3]; };
static struct s *p;
static void *a(void *u) { atomic_store_explicit(&p->x, 1, memory_order_relaxed); atomic_store_explicit(&p->x, 2, memory_order_relaxed); return u; }
static void *b(void *u) { (void)atomic_load_explicit(&p->x, memory_order_relaxed); return u; }
int main(void) { pthread_t t, v; p = calloc(1, sizeof *p); pthread_create(&t, 0, a, 0); pthread_create(&v, 0, b, 0); pthread_join(t, 0); pthread_join(v, 0);
  struct s *q = realloc(p, 64); assert(atomic_load_explicit(&q->x, memory_order_relaxed) == 2); return 0; }`, false, false},
	} {
		p := load(t, head+tc.text)
		for _, last := range []bool{false, true} {
			fails := false
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: memory.RC11, Run: options, Last: last}, func(ex *graphs.Execution) bool {
				fails = fails || ex.Result.Outcome == interp.AssertFails
				if o := ex.Result.Outcome; o == interp.Undefined {
					t.Errorf("%s: %s", tc.name, ex.Result)
				}
				return false
			})
			if err != nil || fails != tc.fails || r.Complete != tc.complete {
				t.Errorf("%s: fails %t, %+v, %v", tc.name, fails, r, err)
			}
		}
	}
}
