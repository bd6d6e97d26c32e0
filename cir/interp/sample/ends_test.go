package sample_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cir/interp"
	"comus/cir/interp/sample"
)

const includes = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"

// short describes who waits where for what, held by whom.
func short(ws []interp.Wait) string {
	var all []string
	for _, w := range ws {
		all = append(all, fmt.Sprintf("%d in %s: %s %s+%d by %d", w.Thread, w.Func, w.Via, w.Object, w.Offset, w.Holder))
	}
	return strings.Join(all, "; ")
}

// TestDeadlocks has programs, and what the threads of a deadlock wait for.
func TestDeadlocks(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"two locks", `pthread_mutex_t a[2];
			void *f(void *p) { pthread_mutex_lock(&a[1]); pthread_mutex_lock(&a[0]); pthread_mutex_unlock(&a[0]); pthread_mutex_unlock(&a[1]); return 0; }
			int main(void) { pthread_t t; pthread_mutex_init(&a[0], 0); pthread_mutex_init(&a[1], 0); pthread_create(&t, 0, f, 0);
			pthread_mutex_lock(&a[0]); pthread_mutex_lock(&a[1]); return 0; }`,
			"0 in main: pthread_mutex_lock a+40 by 1; 1 in f: pthread_mutex_lock a+0 by 0"},
		{"main has ended", `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
			void *f(void *p) { pthread_mutex_lock(&a); return 0; }
			int main(void) { pthread_t t; pthread_mutex_lock(&a); pthread_create(&t, 0, f, 0); pthread_exit(0); }`,
			"1 in f: pthread_mutex_lock a+0 by 0"},
		{"main returns", `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
			void *f(void *p) { pthread_mutex_lock(&a); return 0; }
			int main(void) { pthread_t t; pthread_mutex_lock(&a); pthread_create(&t, 0, f, 0); return 0; }`, ""},
		{"join", `sem_t s; void *f(void *p) { sem_wait(&s); return 0; }
			int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`,
			"0 in main: pthread_join +0 by 1; 1 in f: sem_wait s+0 by -1"},
		{"lost wake-up", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
			void *f(void *p) { pthread_cond_signal(&c); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }`,
			"0 in main: pthread_cond_wait c+0 by -1"},
		{"errorchecking", `#define _GNU_SOURCE
			pthread_mutex_t m; void *f(void *p) { pthread_mutex_lock(&m); return 0; }
			int main(void) { pthread_t t; pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
			pthread_mutex_init(&m, &a); pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`,
			"0 in main: pthread_join +0 by 1; 1 in f: pthread_mutex_lock m+0 by 0"},
		{"some of the threads", `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; volatile int x;
			void unlock(void) { pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); }
			void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); unlock(); return 0; }
			void *g(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); unlock(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); for (int i = 0; i < 200; i++) x++; return 0; }`,
			"1 in f: pthread_mutex_lock a+0 by 2; 2 in g: pthread_mutex_lock b+0 by 1"},
		{"some, held by one that has ended", `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER; volatile int x;
			void *f(void *p) { pthread_mutex_lock(&a); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_create(&t, 0, f, 0); for (;;) x++; }`,
			"2 in f: pthread_mutex_lock a+0 by 1"},
		{"some, who gives has ended", `sem_t a; volatile int x;
			void *f(void *p) { sem_wait(&a); sem_wait(&a); return 0; }
			int main(void) { pthread_t t; sem_init(&a, 0, 0); pthread_create(&t, 0, f, 0); sem_post(&a); for (;;) x++; }`,
			"1 in f: sem_wait a+0 by -1"},
		{"some, but main gives for ever", `sem_t a; volatile int x;
			void *f(void *p) { for (;;) sem_wait(&a); return 0; }
			int main(void) { pthread_t t; sem_init(&a, 0, 0); pthread_create(&t, 0, f, 0); for (;;) if (x++ % 10 == 1) sem_post(&a); }`, ""},
		{"writer", `pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; void *f(void *p) { pthread_rwlock_rdlock(&l); return 0; }
			int main(void) { pthread_t t; pthread_rwlock_wrlock(&l); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`,
			"0 in main: pthread_join +0 by 1; 1 in f: pthread_rwlock_rdlock l+0 by 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := load(t, includes+test.text, cfront.Options{})
			r, err := sample.Run(context.Background(), p.Program, sample.Options{Wakeups: true, MaxSteps: 20000})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.Deadlocks {
				got = append(got, short(d.What))
			}
			if test.want == "" && len(got) > 0 || test.want != "" && !slices.Equal(got, []string{test.want}) {
				t.Errorf("%q, %v", got, r.Outcomes)
			}
		})
	}
}

// TestCircles ends runs where threads wait for one another's locks, though main goes on for ever; each program without a circle differs by an order, or by what is waited for.
func TestCircles(t *testing.T) {
	const head = `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; sem_t s, u;
volatile int x;
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define THREAD(f, body) void *f(void *p) { pthread_t t; (void)t; for (int i = 0; i < 2; i++) { body; } return 0; }
`
	for _, test := range []struct{ name, text, want string }{
		{"two", "THREAD(f, L(&a); L(&b); U(&b); U(&a)) THREAD(g, L(&b); L(&a); U(&a); U(&b)) THREAD(h, x++)",
			"1 in f: pthread_mutex_lock b+0 by 2; 2 in g: pthread_mutex_lock a+0 by 1"},
		{"one order", "THREAD(f, L(&a); L(&b); U(&b); U(&a)) THREAD(g, L(&a); L(&b); U(&b); U(&a)) THREAD(h, x++)", ""},
		{"three", "THREAD(f, L(&a); L(&b); U(&b); U(&a)) THREAD(g, L(&b); L(&c); U(&c); U(&b)) THREAD(h, L(&c); L(&a); U(&a); U(&c))",
			"1 in f: pthread_mutex_lock b+0 by 2; 2 in g: pthread_mutex_lock c+0 by 3; 3 in h: pthread_mutex_lock a+0 by 1"},
		{"three, one order", "THREAD(f, L(&a); L(&b); U(&b); U(&a)) THREAD(g, L(&b); L(&c); U(&c); U(&b)) THREAD(h, L(&a); L(&c); U(&c); U(&a))", ""},
		{"a writer", "THREAD(f, pthread_rwlock_wrlock(&r); L(&a); U(&a); pthread_rwlock_unlock(&r)) THREAD(g, L(&a); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); U(&a)) THREAD(h, x++)",
			"1 in f: pthread_mutex_lock a+0 by 2; 2 in g: pthread_rwlock_rdlock r+0 by 1"},
		{"the only reader", "THREAD(f, pthread_rwlock_rdlock(&r); L(&a); U(&a); pthread_rwlock_unlock(&r)) THREAD(g, L(&a); pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); U(&a)) THREAD(h, x++)",
			"1 in f: pthread_mutex_lock a+0 by 2; 2 in g: pthread_rwlock_wrlock r+0 by 1"},
		{"readers", "THREAD(f, pthread_rwlock_rdlock(&r); L(&a); U(&a); pthread_rwlock_unlock(&r)) THREAD(g, L(&a); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); U(&a)) THREAD(h, x++)", ""},
		{"semaphores, which nobody holds", "THREAD(f, sem_wait(&s); sem_post(&u)) THREAD(g, sem_wait(&u); sem_post(&s)) THREAD(h, x++)", ""},
		{"itself", "THREAD(f, L(&a); L(&a)) THREAD(g, L(&a); U(&a)) THREAD(h, x++)", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := load(t, includes+head+test.text+`
int main(void) { pthread_t t; sem_init(&s, 0, 0); sem_init(&u, 0, 0); pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_create(&t, 0, h, 0); for (;;) x++; }`, cfront.Options{})
			got := map[string]bool{}
			for seed := range uint64(200) {
				res, err := interp.Run(t.Context(), p.Program, interp.Options{Scheduler: sample.Schedule(seed), Wakeups: 1, Circles: true, Races: true, MaxSteps: 3000})
				if err != nil {
					t.Fatal(err)
				}
				circle := interp.Circle(res.Waits)
				if (res.Outcome == interp.Deadlock) != (circle != nil) {
					t.Fatalf("%s: %s", res, short(res.Waits))
				}
				for _, w := range circle {
					if s := w.Side(); len(s.Created) != 1 || s.Created[0].Thread != 0 || s.Site == nil {
						t.Fatalf("where a thread waits: %+v", s)
					}
				}
				got[short(circle)] = true
			}
			delete(got, "")
			if (test.want != "") != got[test.want] || len(got) > 1 {
				t.Errorf("%v instead of %q", got, test.want)
			}
		})
	}
}

// TestLeaks has programs, and the objects that are left: where they come from, and whether they are lost.
func TestLeaks(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"freed", `int main(void) { free(malloc(3)); return 0; }`, ""},
		{"lost", `int main(void) { malloc(3); return 0; }`, "malloc in main lost 3"},
		{"lost with main", `int main(void) { char *p = malloc(3); *p = 1; return 0; }`, "malloc in main lost 3"},
		{"main has not returned", `int main(void) { char *p = malloc(3); *p = 1; exit(0); }`, "malloc in main left 3"},
		{"overwritten", `char *p; int main(void) { p = malloc(3); p = malloc(4); return 0; }`, "malloc in main lost 3; malloc in main left 4"},
		{"list", `struct n { struct n *next; } *l; int main(void) { for (int i = 0; i < 3; i++) { struct n *p = malloc(8); p->next = l; l = p; } return 0; }`,
			"malloc in main left 8"},
		{"lost list", `struct n { struct n *next; }; int main(void) { struct n *l = 0; for (int i = 0; i < 3; i++) { struct n *p = malloc(8); p->next = l; l = p; } return 0; }`,
			"malloc in main lost 8"},
		{"inside", `char *p; int main(void) { p = (char *)malloc(3) + 1; return 0; }`, "malloc in main left 3"},
		{"strdup and realloc", `char *q; int main(void) { char *p = strdup("ab"); q = realloc(p, 10); return 0; }`, "realloc in main left 10"},
		{"a thread's", `void *f(void *p) { char *q = malloc(3); *q = 1; sleep(1); for (;;) ; return q; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }`, "malloc in f left 3"},
		{"a thread's that it is about to keep", `char *kept[50]; void *f(void *p) { for (int i = 0; i < 50; i++) kept[i] = malloc(3); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); usleep(1); return 0; }`, "malloc in f left 3"},
		{"not joined", `void *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }`, ""},
		{"copied bytes", `char b[8]; int main(void) { char *p = malloc(3); memcpy(b, &p, 8); return 0; }`, "malloc in main left 3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := load(t, includes+test.text, cfront.Options{})
			r, err := sample.Run(context.Background(), p.Program, sample.Options{Leaks: true, MaxSteps: 20000, Runs: 30})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range r.Leaks {
				how := "left"
				if l.What.Lost {
					how = "lost"
				}
				got = append(got, fmt.Sprintf("%s in %s %s %d", l.What.Via, l.What.Func, how, l.What.Size))
			}
			if s := strings.Join(got, "; "); s != test.want {
				t.Errorf("%s, %v, %v", s, r.Outcomes, r.Failures)
			}
		})
	}
}

// TestEndlessSection runs a program with an atomic section that does not end: the run does.
func TestEndlessSection(t *testing.T) {
	p := load(t, `void __VERIFIER_atomic_begin(void); int x; int main(void) { __VERIFIER_atomic_begin(); while (!x) ; return 0; }`, cfront.Options{})
	r, err := sample.Run(t.Context(), p.Program, sample.Options{Runs: 1, MaxSteps: 1000})
	if err != nil || r.Outcomes[interp.Limit] != 1 {
		t.Errorf("outcomes %v, %v", r.Outcomes, err)
	}
}
