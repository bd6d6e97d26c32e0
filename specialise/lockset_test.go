package specialise_test

import (
	"fmt"
	"testing"

	"comus/ir"
	"comus/specialise"
)

// racesLeft counts the places of a program that are asked about.
func racesLeft(p *ir.Program) (n int) {
	for _, t := range p.Threads {
		for _, l := range t.Locs {
			if l.Error && l.Check == specialise.Race {
				n++
			}
		}
	}
	return n
}

// evident are programs of which it is evident that they have no data race, each for a reason of its own.
var evident = []string{"after_join", "callee", "condition_flag", "counter_mutex", "create_between", "creation_argument", "errorcheck_again",
	"free_read", "join_between", "join_other", "lock_array", "lock_in_struct", "lock_one_of", "lock_relaxed", "longjmp_lock", "loop_release",
	"mutex_again", "mutex_pointer", "own_lock", "rwlock", "second_iteration", "second_unlock", "specific_data", "spin_try", "spinlock",
	"stack_variable", "timedlock", "trylock", "trylock_told", "tryrdlock", "two_mutexes", "unlock_callee", "unlock_one_of", "wait_releases",
	"wrlock_loop"}

// TestEvident looks whether nothing is asked about programs where it is evident that there is no race, and something of those that
// differ from them by having one.
func TestEvident(t *testing.T) {
	checks, err := specialise.ChecksNamed([]string{specialise.Race})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range evident {
		for _, verdict := range []string{"safe", "unsafe"} {
			res, err := load(fmt.Sprintf("../cfront/testdata/race/%s_%s.c", name, verdict), true, specialise.Options{Check: checks})
			if err != nil {
				t.Errorf("%s_%s: %v", name, verdict, err)
			} else if n := racesLeft(res.Program); (n == 0) != (verdict == "safe") {
				t.Errorf("%s_%s: %d places are asked about", name, verdict, n)
			}
		}
	}
}

// TestSpoiltLocks looks which ways to treat a lock leave it one.
func TestSpoiltLocks(t *testing.T) {
	const start = `#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void unknown(void *);
pthread_mutex_t *unknown_lock(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
`
	const main = `int main(void) { pthread_t t, u; %s pthread_create(&t, 0, f, 0); %s pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); %s return 0; }`
	const plain = `void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`
	for _, c := range []struct {
		name                          string
		thread, before, during, after string
		free                          bool
	}{
		{"a lock", plain, "", "", "", true},
		{"overwritten before", plain, "memset(&m, 0, sizeof m);", "", "", true},
		{"overwritten meanwhile", plain, "", "memset(&m, 0, sizeof m);", "", false},
		{"overwritten afterwards", plain, "", "", "memset(&m, 0, sizeof m);", true},
		{"another one is overwritten", plain, "", "memset(&k, 0, sizeof k);", "", true},
		{"copied", plain, "", "k = m;", "", false}, // m is memory: that is a race with the lock itself
		{"copied before", plain, "k = m;", "", "", true},
		{"initialised before", plain, "pthread_mutex_init(&m, 0);", "", "", true},
		{"initialised again meanwhile", plain, "", "pthread_mutex_init(&m, 0);", "", false},
		{"destroyed afterwards", plain, "", "", "pthread_mutex_destroy(&m);", true},
		{"overwritten by its user", `void *f(void *a) { pthread_mutex_lock(&m); memset(&m, 0, sizeof m); x++; return 0; }`, "", "", "", false},
		{"an unknown function", `void *f(void *a) { pthread_mutex_lock(&m); unknown(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "", "", "", false},
		{"destroyed while held", `void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_destroy(&m); x++; return 0; }`, "", "", "", false},
		{"any of two is given back", `void *f(void *a) { pthread_mutex_t *p = __VERIFIER_nondet_int() ? &m : &k; pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(p); x++; return 0; }`, "", "", "", false},
		{"taken in one branch", `void *f(void *a) { if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); x++; return 0; }`, "", "", "", false},
		{"a lock of readers", `void *f(void *a) { pthread_rwlock_rdlock(&r); y++; pthread_rwlock_unlock(&r); return 0; }`, "", "pthread_rwlock_rdlock(&r); y++; pthread_rwlock_unlock(&r);", "", false},
		{"readers and a writer", `void *f(void *a) { pthread_rwlock_rdlock(&r); int i = y; pthread_rwlock_unlock(&r); return i ? &y : 0; }`, "", "pthread_rwlock_wrlock(&r); y++; pthread_rwlock_unlock(&r);", "", true},
		{"many readers", `void *f(void *a) { while (__VERIFIER_nondet_int()) pthread_rwlock_rdlock(&r); pthread_rwlock_rdlock(&r); int i = y; return i ? &y : 0; }`, "", "pthread_rwlock_wrlock(&r); y++; pthread_rwlock_unlock(&r);", "", false},
		{"readers that are let go by another thread", `void *f(void *a) { pthread_rwlock_rdlock(&r); int i = y; pthread_rwlock_unlock(&r); return i ? &y : 0; }`, "", "pthread_rwlock_unlock(&r); pthread_rwlock_wrlock(&r); y++; pthread_rwlock_unlock(&r);", "", false},
		{"taken for reading in one branch", `void *f(void *a) { if (__VERIFIER_nondet_int()) pthread_rwlock_rdlock(&r); else pthread_rwlock_wrlock(&r); y++; pthread_rwlock_unlock(&r); return 0; }`, "", "pthread_rwlock_rdlock(&r); int i = y; pthread_rwlock_unlock(&r); if (i > 5) return 1;", "", false},
		{"joined in one branch", `void *f(void *a) { y = 1; return 0; }`, "", "int j = __VERIFIER_nondet_int() != 0; if (j) pthread_join(t, 0); y = 2; if (j) return 0;", "", false},
		{"has not ended yet", `void *f(void *a) { y = 1; return 0; }`, "", "if (pthread_tryjoin_np(t, 0)) y = 2; else return 0;", "", false},
		{"joined", `void *f(void *a) { y = 1; return 0; }`, "", "", "y = 2;", true},
		{"not joined", `void *f(void *a) { y = 1; return 0; }`, "", "y = 2;", "", false},
		{"a thread of a thread", `void *g(void *a) { y = 1; return 0; } void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }`, "", "", "y = 2;", false},
		{"before a thread of a thread", `void *g(void *a) { y = 1; return 0; } void *f(void *a) { pthread_t t; y = 2; pthread_create(&t, 0, g, 0); y = 3; return 0; }`, "", "", "", false},
		{"overwritten by a thread that is created with it", `void *g(void *a) { memset(&m, 0, sizeof m); return 0; } void *f(void *a) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, g, 0); x++; return 0; }`, "", "", "", false},
		{"given back through a pointer from somewhere", `void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(unknown_lock()); x++; return 0; }`, "", "", "", false},
		{"given back by a result of a try", `void *f(void *a) { int e = pthread_mutex_trylock(&m), o = e * e; e = 0; if (e == 0) x++; if (o == 0) pthread_mutex_unlock(&m); return 0; }`, "", "", "", false},
		{"given back, and the result of the try looked at again", `void *f(void *a) { int e = pthread_mutex_trylock(&m); if (!e) pthread_mutex_unlock(&m); if (!e) x++; return 0; }`, "", "", "", false},
		{"the result of the try is replaced", `void *f(void *a) { int e = pthread_mutex_trylock(&m), o = e; e = __VERIFIER_nondet_int(); if (e == 0) x++; if (o == 0) pthread_mutex_unlock(&m); return 0; }`, "", "", "", false},
		{"what both results of the try have in common", `void *f(void *a) { int e = pthread_mutex_trylock(&m), o = e % 16; if (o == 0) x++; if (!e) pthread_mutex_unlock(&m); return 0; }`, "", "", "", false},
		{"taken by either of two tries", `void *f(void *a) { int e = pthread_mutex_trylock(&m), o = e ? 1 : __VERIFIER_nondet_int() != 0; if (o == 1) x++; if (!e) pthread_mutex_unlock(&m); return 0; }`, "", "", "", false},
		{"a thread made by one made later", `void *h(void *a) { return 0; } void *g(void *a) { y = 1; return 0; } void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }`, "pthread_create(&u, 0, h, 0); y = 2;", "", "", true},
	} {
		p := mustParse(t, start+c.thread+"\n"+fmt.Sprintf(main, c.before, c.during, c.after), specialise.Options{Check: specialise.Checks{Race: true, NoAssert: true}}).Program
		if n := racesLeft(p); (n == 0) != c.free {
			t.Errorf("%s: %d places are asked about", c.name, n)
		}
	}
}

// TestEvidentEvery does so for any number of threads.
func TestEvidentEvery(t *testing.T) {
	const start = `#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
`
	const main = `int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); %s return 0; }`
	for _, c := range []struct {
		name, threads, end string
		free               bool
	}{
		{"one mutex", `void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "", true},
		{"a mutex each", `void *f(void *a) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "", false},
		{"a mutex of each thread", `_Thread_local pthread_mutex_t n; void *f(void *a) { pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); return 0; }`, "", false},
		{"before the creation of another one", `void *g(void *a) { return x ? &x : 0; } void *f(void *a) { pthread_t t; pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); pthread_create(&t, 0, g, 0); return 0; }`, "", false},
		{"readers", `void *f(void *a) { pthread_rwlock_rdlock(&r); int i = y; pthread_rwlock_unlock(&r); return i ? &y : 0; }`, "pthread_rwlock_wrlock(&r); y = 1; pthread_rwlock_unlock(&r);", true},
		{"readers that do not stop", `void *f(void *a) { pthread_rwlock_rdlock(&r); int i = y; return i ? &y : 0; }`, "pthread_rwlock_wrlock(&r); y = 1; pthread_rwlock_unlock(&r);", false},
	} {
		p := mustParse(t, start+c.threads+"\n"+fmt.Sprintf(main, c.end), specialise.Options{Parametric: true, Check: specialise.Checks{Race: true, NoAssert: true}}).Program
		if n := racesLeft(p); (n == 0) != c.free {
			t.Errorf("%s: %d places are asked about", c.name, n)
		}
	}
}
