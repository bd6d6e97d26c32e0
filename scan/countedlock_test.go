package scan_test

import (
	"testing"

	"comus/internal/long"
)

// locked returns a program with objects that count their references under a lock of their own.
func locked(get, put, work, after string) string {
	return `struct box { int kind; pthread_mutex_t m; int refs; int n; int guarded; pthread_cond_t c; };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&b->m);
#define UNLOCK pthread_mutex_unlock(&b->m);
static struct box *create(void) {
  struct box *b = malloc(sizeof *b);
  if (!b) abort();
  pthread_mutex_init(&b->m, 0);
  pthread_cond_init(&b->c, 0);
  b->refs = 1;
  b->n = b->kind = b->guarded = 0;
  return b;
}
static struct box *keep(struct box *b) { ` + get + ` return b; }
static void drop(struct box *b) { int last; ` + put + ` }
static void *worker(void *arg) { struct box *b = arg; ` + work + ` return 0; }
int main(void) {
  pthread_t t[2];
  struct box *b = create();
  for (int i = 0; i < 2; i++) if (pthread_create(&t[i], 0, worker, keep(b))) abort();
  ` + after + `
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

const (
	lockedGet  = "LOCK b->refs++; UNLOCK"
	lockedPut  = "LOCK last = --b->refs == 0; UNLOCK if (last) { pthread_cond_destroy(&b->c); pthread_mutex_destroy(&b->m); free(b); }"
	lockedWork = "LOCK b->guarded++; UNLOCK use(b->n); drop(b);"
)

// countingLocked are programs in which a lock guards the counter.
var countingLocked = []countCase{
	{"", locked(lockedGet, lockedPut, lockedWork, "drop(b);"), true},
	{"counted without the lock", locked("b->refs++;", lockedPut, lockedWork, "drop(b);"), false},
	{"dropped without the lock", locked(lockedGet, "last = --b->refs == 0; if (last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"the lock is given back between", locked(lockedGet, "LOCK last = b->refs - 1; UNLOCK LOCK b->refs = last; UNLOCK if (!last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"in two steps", locked(lockedGet, "LOCK last = b->refs - 1; b->refs = last; UNLOCK if (!last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), true},
	{"the wrong way round", locked(lockedGet, "LOCK last = --b->refs == 0; UNLOCK if (!last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"looked at after the lock", locked(lockedGet, "LOCK --b->refs; UNLOCK if (b->refs == 0) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"freed under the lock by who is not the last one", locked(lockedGet, "LOCK last = --b->refs == 1; UNLOCK if (last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"used after the drop", locked(lockedGet, lockedPut, "drop(b); use(b->n);", "drop(b);"), false},
	{"locked after the drop", locked(lockedGet, lockedPut, "drop(b); LOCK b->guarded++; UNLOCK", "drop(b);"), false},
	{"dropped twice", locked(lockedGet, lockedPut, "drop(b); drop(b);", "drop(b);"), false},
	{"used between the drop and the end of the lock", locked(lockedGet, "LOCK last = --b->refs == 0; use(b->n); UNLOCK if (last) { pthread_cond_destroy(&b->c); pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), true},
	{"used between the end of the lock and the end", locked(lockedGet, "LOCK last = --b->refs == 0; UNLOCK use(b->n); if (last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"destroyed before the last one", locked(lockedGet, lockedPut, lockedWork, "pthread_mutex_destroy(&b->m);"), false},
	{"the lock begins anew", locked(lockedGet, lockedPut, lockedWork, "pthread_mutex_init(&b->m, 0); drop(b);"), false},
	{"the lock is written over", locked(lockedGet, lockedPut, lockedWork, "memset(&b->m, 0, sizeof b->m); drop(b);"), false},
	{"the guarded number without the lock", locked(lockedGet, lockedPut, "b->guarded++; drop(b);", "drop(b);"), false},
	{"the guarded number by the last one", locked(lockedGet, "LOCK last = --b->refs == 0; UNLOCK if (last) { b->guarded = 0; pthread_cond_destroy(&b->c); pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), true},
	{"the guarded number by any", locked(lockedGet, "LOCK last = --b->refs == 0; UNLOCK if (last) { pthread_mutex_destroy(&b->m); free(b); } else b->guarded = 0;", lockedWork, "drop(b);"), false},
	{"a number that is written while shared", locked(lockedGet, lockedPut, "b->n++; drop(b);", "drop(b);"), false},
	{"waiting", locked(lockedGet, lockedPut, "LOCK while (!b->guarded) pthread_cond_wait(&b->c, &b->m); UNLOCK drop(b);", "LOCK b->guarded = 1; pthread_cond_broadcast(&b->c); UNLOCK drop(b);"), true},
	{"waiting after the drop", locked(lockedGet, lockedPut, "LOCK while (!b->guarded) { b->refs--; pthread_cond_wait(&b->c, &b->m); } UNLOCK", "LOCK b->guarded = 1; pthread_cond_broadcast(&b->c); UNLOCK drop(b);"), false},
	{"told after the drop", locked(lockedGet, lockedPut, "LOCK while (!b->guarded) pthread_cond_wait(&b->c, &b->m); UNLOCK drop(b);", "LOCK b->guarded = 1; UNLOCK drop(b); pthread_cond_broadcast(&b->c);"), false},
	{"waited between reading and writing the counter", locked(lockedGet, "LOCK last = b->refs - 1; pthread_cond_wait(&b->c, &b->m); b->refs = last; UNLOCK if (!last) { pthread_mutex_destroy(&b->m); free(b); }", lockedWork, "drop(b);"), false},
	{"set to a number while shared", locked(lockedGet, lockedPut, lockedWork, "LOCK b->refs = 3; UNLOCK drop(b);"), false},
	{"without taking one", locked("", lockedPut, lockedWork, "drop(b);"), false},
	{"another lock", locked("pthread_mutex_lock(&all); b->refs++; pthread_mutex_unlock(&all);", "pthread_mutex_lock(&all); last = --b->refs == 0; pthread_mutex_unlock(&all); if (last) { pthread_mutex_destroy(&b->m); pthread_cond_destroy(&b->c); free(b); }", "use(b->n); drop(b);", "drop(b);"), true},
	{"another lock, once only", locked("pthread_mutex_lock(&all); b->refs++; pthread_mutex_unlock(&all);", lockedPut, "use(b->n); drop(b);", "drop(b);"), false},
	{"another lock, which is given back between", locked("pthread_mutex_lock(&all); b->refs++; pthread_mutex_unlock(&all);", "pthread_mutex_lock(&all); last = --b->refs; pthread_mutex_unlock(&all); pthread_mutex_lock(&all); b->refs = last; pthread_mutex_unlock(&all); if (!last) free(b);", "use(b->n); drop(b);", "drop(b);"), false},
	{"early return", locked(lockedGet, "LOCK if (--b->refs > 0) { UNLOCK return; } UNLOCK pthread_cond_destroy(&b->c); pthread_mutex_destroy(&b->m); free(b);", lockedWork, "drop(b);"), true},
	{"early return, too early", locked(lockedGet, "LOCK if (--b->refs > 1) { UNLOCK return; } UNLOCK pthread_cond_destroy(&b->c); pthread_mutex_destroy(&b->m); free(b);", lockedWork, "drop(b);"), false},
}

// TestCountedLocked has those proved that are right.
func TestCountedLocked(t *testing.T) {
	for _, c := range countingLocked {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 6)
			countingCase(t, c)
		})
	}
}
