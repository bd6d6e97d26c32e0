package directed_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"comus/cir/interp"
	"comus/scan/directed"
)

// TestAll runs all executions of programs: one fails in two of 70 orders of what threads do, the other in none. Waits for a condition variable, an input, a choice of the library.
func TestAll(t *testing.T) {
	const text = `#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int turns, last, flag;
void step(int me) { pthread_mutex_lock(&m); turns = last == me ? 0 : turns + 1; last = me; assert(turns < LIMIT); pthread_mutex_unlock(&m); }
void *f(void *p) { for (int i = 0; i < 4; i++) step((long)p); return 0; }
void *g(void *p) { pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); MORE; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t, u; BEGIN; pthread_join(t, 0); pthread_join(u, 0); return 0; }
`
	two := `pthread_create(&t, 0, f, (void *)1); pthread_create(&u, 0, f, (void *)2)`
	wait := `pthread_create(&t, 0, g, 0); pthread_create(&u, 0, g, 0); pthread_mutex_lock(&m); flag = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m)`
	for _, x := range []struct {
		limit, begin, more string
		all                int
		fails              bool
	}{
		{"8", two, "", 0, true},
		{"9", two, "", 70, false},
		{"9", wait, "", 10, false},
		{"9", wait, "assert(flag == 1)", 10, false},
		{"9", wait, "flag--; if (flag < 0) assert(0); flag++", 10, false},
		{"9", wait, "assert(flag < 2); flag++", 0, true},
		{"9", "while (!flag) ;", "", 0, false},
		{"9", two + "; flag = 1", "", 70, false},
		{"9", two + "; flag = last", "", 0, false}, // a race
		{"9", two + "; if (*(volatile int *)&u) flag = 1", "", 70, false},
		{"9", two + "; int z; if (*(volatile int *)&z) flag = 1", "", 0, false}, // what nobody has written decides
	} {
		p := read(t, strings.NewReplacer("LIMIT", x.limit, "MORE", x.more, "BEGIN", x.begin).Replace(text))
		target := directed.Target{End: func(res *interp.Result) bool { return res.Outcome == interp.AssertFails }}
		all := directed.All{}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		runs := 100_000
		if x.all == 0 {
			runs = 300
		}
		found, err := directed.For(ctx, p, []directed.Target{target}, directed.Options{All: func(a *directed.All) { all = *a; stop() }, MaxSteps: 20_000, Random: runs, Directed: -1})
		stop()
		if err != nil {
			t.Fatal(err)
		}
		if (found[0].Execution != nil) != x.fails || !x.fails && all.Executions != x.all || all.Executions > 0 && len(all.Without) != 1 {
			t.Errorf("%+v: all %+v, %+v", x, all, found[0].Execution != nil)
		}
	}
}

// TestAllUnfinished has programs that end while a thread has not: what it has done that no other thread notices is not among what differs, such as memory that it has freed, or that it waits. So nothing is said of that.
func TestAllUnfinished(t *testing.T) {
	memory := directed.Target{Leaks: true, End: func(res *interp.Result) bool { return len(directed.KeptBy(res, false)) > 0 }}
	for _, x := range []struct {
		target  directed.Target
		f, main string
		claims  bool
	}{
		{memory, "int *own = malloc(4); *own = 1; free(own);", "", false},
		{memory, "int *own = malloc(4); *own = 1; free(own);", "pthread_join(t, 0);", true},
		{directed.OfAnyDeadlock(), "L(&a); L(&b); U(&b); U(&a);", "L(&a); L(&b); U(&b); U(&a);", false},
		{directed.OfAnyDeadlock(), "L(&a); L(&b); U(&b); U(&a);", "L(&a); L(&b); U(&b); U(&a); pthread_join(t, 0);", true},
	} {
		p := read(t, `#include <pthread.h>
#include <stdlib.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) { `+x.f+` return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); `+x.main+` return 0; }`)
		all := directed.All{}
		opts := directed.Options{All: func(a *directed.All) { all = *a }, Random: 3000, Directed: -1, Confirmed: func(*directed.Execution) (counts, enough bool) { return false, false }}
		if _, err := directed.For(t.Context(), p, []directed.Target{x.target}, opts); err != nil {
			t.Fatal(err)
		}
		if all.Executions == 0 || x.claims != (len(all.Without) > 0) {
			t.Errorf("%s %s: %+v", x.f, x.main, all)
		}
	}
}

// TestAllWaiters has no race in which nothing but the library's account of who waits takes part: where waits end only when they are signalled, readers of a lock and waiters for a condition
// variable are noted in memory that the library keeps in order by itself.
func TestAllWaiters(t *testing.T) {
	race := directed.Target{Race: func(*interp.Race) bool { return true }}
	for _, x := range []struct {
		f    string
		race bool
	}{
		{"pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);", false},
		{"pthread_rwlock_rdlock(&l); x = 1; pthread_rwlock_unlock(&l);", true},
		{"pthread_mutex_lock(&m); if (!x++) pthread_cond_wait(&c, &m); else pthread_cond_signal(&c); pthread_mutex_unlock(&m);", false},
	} {
		p := read(t, `#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;
void *f(void *p) { `+x.f+` return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }`)
		found, err := directed.For(t.Context(), p, []directed.Target{race}, directed.Options{All: func(*directed.All) {}, MaxSteps: 20_000, Random: 100, Directed: -1})
		if err != nil {
			t.Fatal(err)
		}
		if (found[0].Execution != nil) != x.race {
			t.Errorf("%s: a race is found: %v, %+v", x.f, !x.race, found[0].Race)
		}
	}
}
