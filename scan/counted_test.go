package scan_test

import (
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
)

const countHeader = `#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct obj { atomic_int refs; int n; int extra; char *name; char text[16]; };
static struct obj *make(int n) {
  struct obj *o = malloc(sizeof *o);
  if (!o) abort();
  atomic_init(&o->refs, 1);
  o->n = n;
  o->extra = 0;
  o->name = 0;
  return o;
}
static struct obj *get(struct obj *o) { atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed); return o; }
static void put(struct obj *o) { if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1) free(o); }
static long sum;
static void use(int n) { atomic_fetch_add((_Atomic long *)&sum, n); }
`

// passing returns a program that creates two threads with a reference each.
func passing(work, give, after string) string {
	return `static void *worker(void *arg) { struct obj *o = arg; ` + work + ` return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  for (int i = 0; i < 2; i++) if (pthread_create(&t[i], 0, worker, ` + give + `)) abort();
  ` + after + `
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

// slotted returns a program with readers and writers of a slot under a lock.
func slotted(read, write string) string {
	return `static struct { pthread_mutex_t m; struct obj *now; int k; } slot = { PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&slot.m);
#define UNLOCK pthread_mutex_unlock(&slot.m);
static void *reader(void *arg) { for (int i = 0; i < 5; i++) { struct obj *o = 0; ` + read + ` } return 0; }
static void *writer(void *arg) { for (int i = 0; i < 5; i++) { struct obj *old = 0, *o = make(i); ` + write + ` } return 0; }
int main(void) {
  pthread_t t[4];
  slot.now = make(0);
  for (int i = 0; i < 4; i++) if (pthread_create(&t[i], 0, i % 2 ? reader : writer, 0)) abort();
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  put(slot.now);
  return 0;
}
`
}

const (
	slotRead  = "LOCK o = get(slot.now); UNLOCK use(o->n); put(o);"
	slotWrite = "LOCK old = slot.now; slot.now = o; UNLOCK put(old);"
)

// countCase is a program, and whether it is proved.
type countCase struct {
	name, src string
	proved    bool
}

// counting are programs with objects that count their references, and whether they are proved: the right ones, each before broken ones that differ by one thing.
var counting = []countCase{
	{"passed to threads", passing("use(o->n); put(o);", "get(o)", "put(o);"), true},
	{"dropped twice", passing("use(o->n); put(o); put(o);", "get(o)", "put(o);"), false},
	{"used after the drop", passing("put(o); use(o->n);", "get(o)", "put(o);"), false},
	{"without a reference of its own", passing("use(o->n); put(o);", "o", "put(o);"), false},
	{"used by who has given the last one away", passing("use(o->n); put(o);", "get(o)", "put(o); use(o->n);"), false},
	{"used before the drop", passing("use(o->n); put(o);", "get(o)", "use(o->n); put(o);"), true},
	{"written while shared", passing("o->n++; put(o);", "get(o)", "put(o);"), false},
	{"written by who made it while shared", passing("use(o->n); put(o);", "get(o)", "o->n = 4; put(o);"), false},
	{"written by the last one", passing("use(o->n); if (atomic_fetch_sub(&o->refs, 1) == 1) { o->n = 0; use(o->n); free(o); }", "get(o)", "put(o);"), true},
	{"written by who is not the last one", passing("use(o->n); if (atomic_fetch_sub(&o->refs, 1) != 1) { o->n = 0; use(o->n); } else free(o);", "get(o)", "put(o);"), false},
	{"compared with 0", passing("use(o->n); if (atomic_fetch_sub(&o->refs, 1) == 0) free(o);", "get(o)", "put(o);"), true}, // it is never freed there
	{"freed for 0 or 1", passing("use(o->n); if (atomic_fetch_sub(&o->refs, 1) <= 1) free(o);", "get(o)", "put(o);"), true},
	{"freed for 2", passing("use(o->n); if (atomic_fetch_sub(&o->refs, 1) <= 2) free(o);", "get(o)", "put(o);"), false},
	{"freed in any case", passing("use(o->n); atomic_fetch_sub(&o->refs, 1); free(o);", "get(o)", "put(o);"), false},
	{"what is left is compared", passing("use(o->n); if (__sync_sub_and_fetch((int *)&o->refs, 1) == 0) free(o);", "get(o)", "put(o);"), true},
	{"what is left is compared with 1", passing("use(o->n); if (__sync_sub_and_fetch((int *)&o->refs, 1) == 1) free(o);", "get(o)", "put(o);"), false},
	{"negated", passing("use(o->n); if (!--o->refs) free(o);", "get(o)", "put(o);"), true},
	{"negated, the old value", passing("use(o->n); if (!o->refs--) free(o); ", "get(o)", "o->refs = 1; put(o);"), false},
	{"kept in a variable", passing("use(o->n); int old = atomic_fetch_sub(&o->refs, 1); if (old > 1) return 0; free(o);", "get(o)", "put(o);"), true},
	{"kept in a variable, the other way round", passing("use(o->n); int old = atomic_fetch_sub(&o->refs, 1); if (old < 2) return 0; free(o);", "get(o)", "put(o);"), false},
	{"dropped relaxed", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_relaxed) == 1) free(o);", "get(o)", "put(o);"), false},
	{"dropped by a release only", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) free(o);", "get(o)", "put(o);"), false},
	{"dropped by a release, with a fence", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) { atomic_thread_fence(memory_order_acquire); free(o); }", "get(o)", "put(o);"), true},
	{"dropped by a release, with a weaker fence", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) { atomic_thread_fence(memory_order_release); free(o); }", "get(o)", "put(o);"), false},
	{"dropped by a release, with a fence too early", passing("use(o->n); atomic_thread_fence(memory_order_acquire); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) free(o);", "get(o)", "put(o);"), false},
	{"dropped by a release, with a fence too late", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) { o->n = 0; atomic_thread_fence(memory_order_acquire); free(o); }", "get(o)", "put(o);"), false},
	{"dropped by a relaxed one, with a fence", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_relaxed) == 1) { atomic_thread_fence(memory_order_acquire); free(o); }", "get(o)", "put(o);"), false},
	{"dropped by an acquire only", passing("use(o->n); if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acquire) == 1) free(o);", "get(o)", "put(o);"), false},
	{"not in one step", passing("use(o->n); int n = atomic_load(&o->refs); atomic_store(&o->refs, n - 1); if (n == 1) free(o);", "get(o)", "put(o);"), false},
	{"another reference is taken and dropped", passing("get(o); use(o->n); put(o); use(o->n); put(o);", "get(o)", "put(o);"), true},
	{"another reference is taken, and none is left", passing("get(o); use(o->n); put(o); put(o); use(o->n);", "get(o)", "put(o);"), false},
	{"two at a time", passing("atomic_fetch_add(&o->refs, 2); use(o->n); put(o); put(o); put(o);", "get(o)", "put(o);"), true},
	{"two at a time, dropped four times", passing("atomic_fetch_add(&o->refs, 2); use(o->n); put(o); put(o); put(o); put(o);", "get(o)", "put(o);"), false},
	{"set once more", passing("use(o->n); put(o);", "get(o)", "atomic_store(&o->refs, 1); put(o);"), false},
	{"set to what all get", `static void *worker(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  atomic_store(&o->refs, 3);
  if (pthread_create(&t[0], 0, worker, o) || pthread_create(&t[1], 0, worker, o)) abort();
  use(o->n);
  put(o);
  pthread_join(t[0], 0), pthread_join(t[1], 0);
  return 0;
}`, true},
	{"set to fewer than all get", `static void *worker(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  atomic_store(&o->refs, 2);
  if (pthread_create(&t[0], 0, worker, o) || pthread_create(&t[1], 0, worker, o)) abort();
  use(o->n);
  put(o);
  pthread_join(t[0], 0), pthread_join(t[1], 0);
  return 0;
}`, false},
	{"a text is read", passing("use(strlen(o->text)); put(o);", "get(o)", "put(o);"), true},
	{"a text is written", passing("strcpy(o->text, \"a\"); put(o);", "get(o)", "put(o);"), false},
	{"a text is read after the drop", passing("put(o); use(strlen(o->text));", "get(o)", "put(o);"), false},
	{"by another address", passing("int *n = &o->n; use(*n); put(o);", "get(o)", "put(o);"), true},
	{"by another address after the drop", passing("int *n = &o->n; put(o); use(*n);", "get(o)", "put(o);"), false},

	{"a slot", slotted(slotRead, slotWrite), true},
	{"a slot, read without its lock", slotted("o = get(slot.now); use(o->n); put(o);", slotWrite), false},
	{"a slot, written without its lock", slotted(slotRead, "old = slot.now; slot.now = o; put(old);"), false},
	{"a slot, with another lock", slotted("pthread_mutex_lock(&other); o = get(slot.now); pthread_mutex_unlock(&other); use(o->n); put(o);", slotWrite), false},
	{"a slot, the reference is taken after the lock is given back", slotted("LOCK o = slot.now; UNLOCK get(o); use(o->n); put(o);", slotWrite), false},
	{"a slot, used under the lock only", slotted("LOCK o = slot.now; use(o->n); UNLOCK", slotWrite), true},
	{"a slot, used after the lock", slotted("LOCK o = slot.now; UNLOCK use(o->n);", slotWrite), false},
	{"a slot, dropped without having taken one", slotted("LOCK o = slot.now; use(o->n); put(o); UNLOCK", slotWrite), false},
	{"a slot, the old one is dropped twice", slotted(slotRead, "LOCK old = slot.now; slot.now = o; UNLOCK put(old); put(old);"), false},
	{"a slot, the old one is dropped under the lock", slotted(slotRead, "LOCK old = slot.now; slot.now = o; put(old); UNLOCK"), true},
	{"a slot, the old one is freed", slotted(slotRead, "LOCK old = slot.now; slot.now = o; UNLOCK free(old);"), false},
	{"a slot, the old one is dropped before it is replaced", slotted(slotRead, "LOCK old = slot.now; UNLOCK put(old); LOCK slot.now = o; UNLOCK"), false},
	{"a slot, the new one is written before", slotted(slotRead, "o->n = 7; LOCK old = slot.now; slot.now = o; UNLOCK put(old);"), true},
	{"a slot, the new one is written after", slotted(slotRead, "LOCK old = slot.now; slot.now = o; UNLOCK o->n = 7; put(old);"), false},
	{"a slot, the new one is kept", slotted(slotRead, "get(o); LOCK old = slot.now; slot.now = o; UNLOCK use(o->n); put(o); put(old);"), true},
	{"a slot, the new one is kept and used after its drop", slotted(slotRead, "get(o); LOCK old = slot.now; slot.now = o; UNLOCK put(o); use(o->n); put(old);"), false},
	{"a slot, the new one is dropped that was not kept", slotted(slotRead, "LOCK old = slot.now; slot.now = o; UNLOCK put(o); put(old);"), false},
	{"a slot, put there twice", slotted(slotRead, "LOCK old = slot.now; slot.now = o; UNLOCK LOCK slot.now = o; UNLOCK put(old);"), false},
	{"a slot that may be empty", slotted("LOCK if (slot.now) o = get(slot.now); UNLOCK if (o) { use(o->n); put(o); }", "LOCK old = slot.now; slot.now = i % 2 ? o : 0; UNLOCK if (!(i % 2)) put(o); if (old) put(old);"), false}, // right, but not proved: conditions that come twice
	{"a slot that is emptied", slotted("LOCK o = slot.now; slot.now = 0; UNLOCK if (o) { use(o->n); put(o); }", "LOCK old = slot.now; slot.now = o; UNLOCK if (old) put(old);"), true},
	{"a slot, copied to another one", slotted("static struct obj *copy; LOCK copy = slot.now; UNLOCK LOCK o = get(copy); UNLOCK use(o->n); put(o);", slotWrite), false},
}

// TestCounted has those proved that are right.
func TestCounted(t *testing.T) {
	for _, c := range counting {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 6)
			countingCase(t, c)
		})
	}
}

// countingCase has a program proved, or not.
func countingCase(t *testing.T, c countCase) {
	p := load(t, text(t, countHeader+c.src))
	r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	report, err := scancheck.Check(t.Context(), p.Program, r.Points, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	suspects := false
	for _, l := range r.Locations {
		suspects = suspects || l.Why == scan.Suspected
	}
	if why := report.RaceFree(); (why == nil) != c.proved || suspects == c.proved {
		t.Errorf("race-free: %v, suspects: %v, %v", why, suspects, report.Refused)
	}
}
