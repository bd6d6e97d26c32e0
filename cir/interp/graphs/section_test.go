package graphs_test

import (
	"testing"

	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/memory"
)

const objectsHead = head + `#include <semaphore.h>
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c; static sem_t s; static pthread_barrier_t b; static pthread_rwlock_t l; static pthread_once_t once;
static atomic_int x, y, z; static int n;
#define TWO(f, g, end) int main(void) { pthread_t t, u; sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); end; return 0; }
`

// TestObjects explores programs with objects of the library, each with a twin that lacks what orders.
func TestObjects(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		fails      bool
		runs       int // 0: some
	}{
		{"a condition variable", `static void *f(void *u) { ST(x, 1); pthread_mutex_lock(&m); n = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return u; }
static void *g(void *u) { pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); assert(LD(x)); return u; } TWO(f, g, pthread_cond_destroy(&c); pthread_mutex_destroy(&m))`, false, 2},
		{"one that is signalled too early", `static void *f(void *u) { pthread_mutex_lock(&m); n = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); ST(x, 1); return u; }
static void *g(void *u) { pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); assert(LD(x)); return u; } TWO(f, g, )`, true, 0},
		{"two threads that wait for a third one", `static void *f(void *u) { pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
TWO(f, f, pthread_mutex_lock(&m); assert(n == 1); pthread_mutex_unlock(&m)) static void *k(void *u) { pthread_mutex_lock(&m); n = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); return u; }
__attribute__((constructor)) static void more(void) { pthread_t t; pthread_create(&t, 0, k, 0); }`, false, 0},
		{"one that asks again and again, and does more than that", `static void *f(void *u) { for (int i = 0;; i++) { pthread_mutex_lock(&m); int k = n; pthread_mutex_unlock(&m); if (k || i > 1) { assert(k); return u; } } }
static void *g(void *u) { pthread_mutex_lock(&m); n = 1; pthread_mutex_unlock(&m); return u; } TWO(f, g, )`, true, 0},
		{"a semaphore", `static void *f(void *u) { ST(x, 1); sem_post(&s); return u; } static void *g(void *u) { sem_wait(&s); assert(LD(x)); return u; } TWO(f, g, )`, false, 1},
		{"one that is posted too early", `static void *f(void *u) { sem_post(&s); ST(x, 1); return u; } static void *g(void *u) { sem_wait(&s); assert(LD(x)); return u; } TWO(f, g, )`, true, 0},
		{"a semaphore that is tried", `static void *f(void *u) { ST(x, 1); sem_post(&s); return u; } static void *g(void *u) { if (!sem_trywait(&s)) assert(LD(x)); return u; } TWO(f, g, )`, false, 2},
		{"two posts", `static void *f(void *u) { ST(x, 1); sem_post(&s); return u; } static void *g(void *u) { ST(y, 1); sem_post(&s); return u; }
TWO(f, g, sem_wait(&s); sem_wait(&s); assert(LD(x) && LD(y)))`, false, 2},
		{"a barrier", `static void *f(void *u) { ST(x, 1); pthread_barrier_wait(&b); assert(LD(y)); return u; } static void *g(void *u) { ST(y, 1); pthread_barrier_wait(&b); assert(LD(x)); return u; }
TWO(f, g, pthread_barrier_destroy(&b))`, false, 2},
		{"one that comes too early", `static void *f(void *u) { pthread_barrier_wait(&b); ST(x, 1); assert(LD(y)); return u; } static void *g(void *u) { ST(y, 1); pthread_barrier_wait(&b); assert(LD(x)); return u; } TWO(f, g, )`, true, 0},
		{"a thread of two that is told apart", `static void *f(void *u) { if (pthread_barrier_wait(&b)) ST(x, LD(x) + 1); return u; } TWO(f, f, )`, false, -1},
		{"a read-write lock", `static void *f(void *u) { pthread_rwlock_wrlock(&l); ST(x, 1); ST(y, 1); pthread_rwlock_unlock(&l); return u; }
static void *g(void *u) { pthread_rwlock_rdlock(&l); assert(LD(x) == LD(y)); pthread_rwlock_unlock(&l); return u; } TWO(f, g, )`, false, 2},
		{"one that is only read", `static void *f(void *u) { pthread_rwlock_rdlock(&l); ST(x, 1); ST(y, 1); pthread_rwlock_unlock(&l); return u; }
static void *g(void *u) { pthread_rwlock_rdlock(&l); assert(LD(x) == LD(y)); pthread_rwlock_unlock(&l); return u; } TWO(f, g, )`, true, 0},
		{"a mutex that is tried", `static void *f(void *u) { if (!pthread_mutex_trylock(&m)) { ST(x, LD(x) + 1); ST(y, LD(y) + 1); pthread_mutex_unlock(&m); } return u; } TWO(f, f, assert(x == y && x))`, false, 4},
		{"a try that fails, which orders nothing", `static void *f(void *u) { ST(x, 1); pthread_mutex_lock(&m); ST(y, 1); pthread_mutex_unlock(&m); return u; }
static void *g(void *u) { if (pthread_mutex_trylock(&m)) assert(LD(x)); else pthread_mutex_unlock(&m); return u; } TWO(f, g, )`, true, 0},
		{"a try that sees a thread take a lock again and again", `static void *f(void *u) { pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
static void *g(void *u) { pthread_mutex_lock(&m); n = 1; pthread_mutex_unlock(&m); if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m); return u; } TWO(f, g, )`, false, -1},
		{"what is done once", `static void first(void) { ST(x, 1); ST(z, LD(z) + 1); } static void *f(void *u) { pthread_once(&once, first); assert(LD(x)); return u; } TWO(f, f, assert(z == 1))`, false, 2},
		{"what is not waited for", `static void first(void) { ST(x, 1); } static void *f(void *u) { pthread_once(&once, first); return u; } static void *g(void *u) { assert(LD(x)); return u; } TWO(f, g, )`, true, 0},
		{"keys", `static pthread_key_t k; __attribute__((constructor)) static void make(void) { pthread_key_create(&k, 0); }
static void *f(void *u) { pthread_setspecific(k, &x); assert(pthread_getspecific(k) == &x); ST(x, 1); return u; } static void *g(void *u) { assert(!pthread_getspecific(k)); (void)LD(x); return u; } TWO(f, g, )`, false, 4}, // a value without a destructor may become null
		{"keys that are made at the same time", `static pthread_key_t k; static void *f(void *u) { pthread_key_t k; pthread_key_create(&k, 0); ST(x, 1); return u; } TWO(f, f, )`, false, -1},
		{"a node of a list on the stack of a thread", `struct node { struct node *_Atomic next; atomic_bool waits; }; static struct node *_Atomic tail;
static void *f(void *u) { struct node me; atomic_init(&me.next, 0); atomic_init(&me.waits, 1); struct node *p = atomic_exchange_explicit(&tail, &me, memory_order_acq_rel), *q;
  if (p) { atomic_store_explicit(&p->next, &me, memory_order_release); while (atomic_load_explicit(&me.waits, memory_order_acquire)) ; }
  n++; struct node *e = &me; if (atomic_compare_exchange_strong_explicit(&tail, &e, 0, memory_order_release, memory_order_relaxed)) return u;
  while (!(q = atomic_load_explicit(&me.next, memory_order_acquire))) ; ST(q->waits, 0); return u; } TWO(f, f, )`, false, 4},
	} {
		p := load(t, objectsHead+tc.text)
		var sum uint64
		for _, last := range []bool{false, true} {
			fails, all := false, uint64(0)
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: memory.RC11, Run: options, Last: last}, func(ex *graphs.Execution) bool {
				fails = fails || ex.Result.Outcome == interp.AssertFails
				if o := ex.Result.Outcome; o == interp.Undefined {
					t.Errorf("%s: %s", tc.name, ex.Result)
				}
				if !ex.Blocked {
					all += ex.Sum()
				}
				return false
			})
			if err != nil || fails != tc.fails || r.Complete != (tc.runs >= 0) || tc.runs > 0 && r.Runs != tc.runs || !tc.fails && last && all != sum {
				t.Errorf("%s: fails %t, %+v, %v", tc.name, fails, r, err)
			}
			sum = all
		}
	}
}

// TestLooks has functions of the library fail between a write and a read of two threads. A processor that delays writes may do the second before the first, as the library need not do more than look. A compare and
// exchange of the program's that fails is a fence there, and so is what succeeds.
func TestLooks(t *testing.T) {
	for _, tc := range []struct {
		name, begin, between string
		fails                bool
	}{
		{"a semaphore", "", "sem_trywait(&s)", true},
		{"a semaphore that is free", "sem_post(&s); sem_post(&s)", "sem_trywait(&s)", false},
		{"what was done once", "pthread_once(&once, nothing)", "pthread_once(&once, nothing)", true},
		{"a read-write lock", "pthread_rwlock_wrlock(&l)", "pthread_rwlock_tryrdlock(&l)", true},
		{"a compare and exchange", "", "int e = 1; atomic_compare_exchange_strong_explicit(&z, &e, 2, memory_order_relaxed, memory_order_relaxed)", false},
	} {
		p := load(t, objectsHead+"static void nothing(void) { } static int v, w; static void *f(void *u) { ST(x, 1); "+tc.between+"; v = LD(y); return u; } static void *g(void *u) { ST(y, 1); "+tc.between+`; w = LD(x); return u; }
int main(void) { pthread_t t, u; sem_init(&s, 0, 0); `+tc.begin+"; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); assert(v || w); return 0; }\n")
		for _, m := range []memory.Model{memory.TSO, memory.PSO} {
			fails := false
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: m, Run: options}, func(ex *graphs.Execution) bool {
				fails = fails || ex.Result.Outcome == interp.AssertFails
				if _, err := graphs.Replay(t.Context(), p, options(nil), ex.Graph, false); err != nil {
					t.Errorf("%s: %v", tc.name, err)
				}
				return false
			})
			if err != nil || !r.Complete || fails != tc.fails {
				t.Errorf("%s, %s: fails %t, %+v, %v", tc.name, m, fails, r, err)
			}
		}
	}
}

// TestArguments tells arguments of a program that it uses from those that it only names.
func TestArguments(t *testing.T) {
	for use, inputs := range map[string]bool{"(void)argc; (void)argv;": false, "assert(argc > 0);": true, "if (argv[0]) (void)argc;": true} {
		p := load(t, head+"static atomic_int x; static void *f(void *u) { atomic_store(&x, 1); return u; }\nint main(int argc, char **argv) { "+use+" pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n")
		if r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: memory.RC11, Run: options}, func(*graphs.Execution) bool { return false }); err != nil || r.Inputs != inputs {
			t.Errorf("%s: %+v, %v", use, r, err)
		}
	}
}

// TestGoOn has threads go on where another one's assertion fails: what they do may come before it.
func TestGoOn(t *testing.T) {
	for _, tc := range []struct {
		text  string
		races bool
	}{
		{`static void *f(void *u) { assert(LD(x)); return u; } static void *g(void *u) { n++; ST(x, 1); return u; } TWO(f, g, n++)`, false},
		{`static void *f(void *u) { assert(LD(x)); return u; } static void *g(void *u) { if (!LD(y)) n++; return u; }
static void *k(void *u) { n++; ST(y, 1); return u; } static void *h(void *u) { pthread_t t; pthread_create(&t, 0, k, 0); g(u); return u; } TWO(f, h, )`, true},
		{`static void *f(void *u) { assert(LD(x)); n++; return u; } static void *g(void *u) { n++; return u; } TWO(f, g, )`, false},
	} {
		p := load(t, objectsHead+tc.text)
		for _, last := range []bool{false, true} {
			races := false
			r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: memory.RC11, Run: options, Last: last, GoOn: true}, func(ex *graphs.Execution) bool {
				if ex.Result.Outcome == interp.AssertFails {
					t.Error(ex.Result)
				}
				if races = races || len(ex.Result.Races) > 0; len(ex.Result.Races) == 0 {
					return false
				}
				again, err := graphs.Replay(t.Context(), p, options(nil), ex.Graph, true)
				if err != nil || len(again.Races) != len(ex.Result.Races) {
					t.Errorf("%v, %v", again, err)
				}
				return false
			})
			if err != nil || races != tc.races || !r.Complete || r.Unfinished {
				t.Errorf("%s: races %t, %+v, %v", tc.text, races, r, err)
			}
		}
	}
}
