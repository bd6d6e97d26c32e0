package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
	"comus/scan"
)

const header = `#include <pthread.h>
#include <stdlib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int g, h;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_t a, b;
static void *inc(void *p) { g++; return 0; }
static void *locked(void *p) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }
static void *nothing(void *p) { return 0; }
`

// timer begins a program with a timer, whose function runs in a thread.
const timer = `struct event { void *value; int signal, notify; void (*function)(void *); void *attributes; char more[32]; };
	int timer_create(int, struct event *, void **); void tick(void *v) { g++; } void tock(void *v) { h++; }
	int main(int c, char **v) { void *x; struct event e = {0}; e.notify = 2; `

// TestRules has a program for each rule of the analysis, and one for its violation.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, src string
		why       scan.Why // of g
	}{
		{"before creation", `int main(void) { g = 1; pthread_create(&a, 0, inc, 0); return 0; }`, scan.Ordered},
		{"after creation", `int main(void) { pthread_create(&a, 0, inc, 0); g = 1; return 0; }`, scan.Suspected},
		{"joined", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Ordered},
		{"joined perhaps", `int main(int c, char **v) { pthread_create(&a, 0, inc, 0); if (c) pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"another is joined", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, nothing, 0); pthread_join(b, 0); g = 1; return 0; }`, scan.Suspected},
		{"one after the other", `int main(void) { for (int i = 0; i < 3; i++) { pthread_create(&a, 0, inc, 0); pthread_join(a, 0); g++; } return 0; }`, scan.Ordered},
		{"one beside the other", `int main(void) { for (int i = 0; i < 3; i++) { pthread_create(&a, 0, inc, 0); } pthread_join(a, 0); return 0; }`, scan.Suspected},
		{"siblings in order", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_join(a, 0); pthread_create(&b, 0, inc, 0); return 0; }`, scan.Ordered},
		{"siblings", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, inc, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }`, scan.Suspected},
		{"function called at two times", `void f(void) { g++; } int main(void) { f(); pthread_create(&a, 0, inc, 0); pthread_join(a, 0); f(); return 0; }`, scan.Ordered},
		{"function called in between", `void f(void) { g++; } int main(void) { f(); pthread_create(&a, 0, inc, 0); f(); pthread_join(a, 0); return 0; }`, scan.Suspected},
		{"grandchild is joined", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); pthread_join(b, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Ordered},
		{"grandchild is left", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"cancelled before it joins", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); pthread_testcancel(); pthread_join(b, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_cancel(a); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"cancelled in a function without a body", `ssize_t recv(int, void *, size_t, int);
			void *mid(void *p) { pthread_create(&b, 0, inc, 0); recv(0, 0, 0, 0); pthread_join(b, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_cancel(a); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"exit before it joins", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); if (h) pthread_exit(0); pthread_join(b, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"leftovers meet", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); return 0; }
			int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&a, 0, mid, 0); pthread_join(a, 0); } return 0; }`, scan.Suspected},
		{"jump back", `#include <setjmp.h>
			jmp_buf j; int main(void) { if (setjmp(j)) { g = 1; return 0; } pthread_create(&a, 0, inc, 0); longjmp(j, 1); }`, scan.Suspected},
		{"they join each other", `pthread_t me; void *f(void *p) { pthread_join(me, 0); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"they join each other, until some time", `pthread_t me; int pthread_timedjoin_np(); void *f(void *p) { static struct { long s, ns; } end = {4000000000}; pthread_timedjoin_np(me, 0, &end); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"they join each other, until some time of a clock", `pthread_t me; int pthread_clockjoin_np(); void *f(void *p) { static struct { long s, ns; } end = {4000000000}; pthread_clockjoin_np(me, 0, 0, &end); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"joined by a function with branches", `void j(void) { if (h) h++; pthread_join(a, 0); if (h) h++; } int main(void) { pthread_create(&a, 0, inc, 0); j(); g = 1; return 0; }`, scan.Ordered},
		{"at the end of the program", `__attribute__((destructor)) void x(void) { g++; } int main(void) { pthread_create(&a, 0, inc, 0); return 0; }`, scan.Suspected},
		{"one of two at the end of the program", `__attribute__((destructor)) void x(void) { g++; } __attribute__((destructor)) void y(void) { h++; } int main(void) { pthread_create(&a, 0, inc, 0); return 0; }`, scan.Suspected},
		{"the other one of two at the end of the program", `__attribute__((destructor)) void x(void) { h++; } __attribute__((destructor)) void y(void) { g++; } int main(void) { pthread_create(&a, 0, inc, 0); return 0; }`, scan.Suspected},
		{"created behind a call of itself", `void f(int k) { if (k == 0) return; h++; f(k - 1); pthread_create(&a, 0, inc, 0); } int main(int c, char **v) { f(c); g = 1; return 0; }`, scan.Suspected},
		{"joined by what code outside may call", `void outside(void (*)(void)); void cb(void) { pthread_join(a, 0); } int main(void) { pthread_create(&a, 0, inc, 0); outside(cb); g = 1; return 0; }`, scan.Suspected},
		{"called back, one after the other", `void outside(void (*)(void), void (*)(void)); void x(void) { pthread_create(&a, 0, inc, 0); } void y(void) { g = 1; }
			int main(void) { outside(x, y); return 0; }`, scan.Suspected},
		{"called back, the other one before", `void outside(void (*)(void), void (*)(void)); void x(void) { g = 1; } void y(void) { pthread_create(&a, 0, inc, 0); }
			int main(void) { outside(x, y); return 0; }`, scan.Suspected},
		{"one of two functions is created", `int main(int c, char **v) { pthread_create(&a, 0, c > 1 ? inc : nothing, 0); g = 1; return 0; }`, scan.Suspected},
		{"the other one of two functions is created", `int main(int c, char **v) { pthread_create(&a, 0, c > 1 ? nothing : inc, 0); g = 1; return 0; }`, scan.Suspected},
		{"one of two functions is created several times", `int main(int c, char **v) { for (int i = 0; i < c; i++) pthread_create(&a, 0, c > 1 ? inc : nothing, 0); return 0; }`, scan.Suspected},
		{"the other one of two functions is created several times", `int main(int c, char **v) { for (int i = 0; i < c; i++) pthread_create(&a, 0, c > 1 ? nothing : inc, 0); return 0; }`, scan.Suspected},
		{"one of a timer's functions", timer + `e.function = c > 1 ? tick : tock; timer_create(0, &e, &x); g = 1; return 0; }`, scan.Suspected},
		{"the other one of a timer's functions", timer + `e.function = c > 1 ? tock : tick; timer_create(0, &e, &x); g = 1; return 0; }`, scan.Suspected},
		{"a timer's function", timer + `e.function = tock; timer_create(0, &e, &x); g = 1; return 0; }`, scan.Ordered},
		{"children of threads of which there are several", `void *look(void *p) { return g ? p : 0; }
			void *start(void *p) { pthread_t x, y; pthread_create(&x, 0, locked, 0); pthread_join(x, 0); pthread_create(&y, 0, look, 0); return 0; }
			int main(void) { for (int i = 0; i < 2; i++) pthread_create(&a, 0, start, 0); return 0; }`, scan.Suspected},
		{"children of one thread", `void *look(void *p) { return g ? p : 0; }
			void *start(void *p) { pthread_t x, y; pthread_create(&x, 0, locked, 0); pthread_join(x, 0); pthread_create(&y, 0, look, 0); return 0; }
			int main(void) { pthread_create(&a, 0, start, 0); return 0; }`, scan.Ordered},
		{"created behind a call of itself, at once", `void f(int k) { if (k) f(k - 1); else return; pthread_create(&a, 0, inc, 0); } int main(int c, char **v) { f(c); g = 1; return 0; }`, scan.Suspected},
		{"joined by a function, perhaps", `void j(int c) { if (c) pthread_join(a, 0); else h = 1; } int main(int c, char **v) { pthread_create(&a, 0, inc, 0); j(c); g = 1; return 0; }`, scan.Suspected},
		{"joined by a function, but not perhaps", `void j(int c) { if (c) h = 1; else pthread_join(a, 0); } int main(int c, char **v) { pthread_create(&a, 0, inc, 0); j(c); g = 1; return 0; }`, scan.Suspected},
		{"one of two is joined", `int main(int c, char **v) { pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, nothing, 0); pthread_join(c > 1 ? a : b, 0); g = 1; return 0; }`, scan.Suspected},
		{"the other one of two is joined", `int main(int c, char **v) { pthread_create(&b, 0, nothing, 0); pthread_create(&a, 0, inc, 0); pthread_join(c > 1 ? b : a, 0); g = 1; return 0; }`, scan.Suspected},
		{"it joins itself, or the child", `int main(int c, char **v) { pthread_create(&a, 0, inc, 0); pthread_join(c > 1 ? a : pthread_self(), 0); g = 1; return 0; }`, scan.Suspected},
		{"detached", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_detach(a); g = 1; return 0; }`, scan.Suspected},
		{"cancelled", `int main(void) { pthread_create(&a, 0, inc, 0); pthread_cancel(a); g = 1; return 0; }`, scan.Suspected},
		{"cancelled while it joins", `void *mid(void *p) { pthread_create(&b, 0, inc, 0); pthread_join(b, 0); return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_cancel(a); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"created by another one, too", `void make(void) { pthread_create(&a, 0, locked, 0); } void *other(void *p) { make(); return 0; }
			int main(void) { pthread_create(&b, 0, other, 0); make(); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"created by another one, which is created later", `void make(void) { pthread_create(&a, 0, locked, 0); } void *other(void *p) { make(); return 0; }
			int main(void) { make(); pthread_create(&b, 0, other, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"one of those that they join is the creator", `pthread_t me; void *f(void *p) { if (h) pthread_join(b, 0); pthread_join(me, 0); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&b, 0, nothing, 0); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"the first one of those that they join is the creator", `pthread_t me; void *f(void *p) { pthread_join(me, 0); if (h) pthread_join(b, 0); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&b, 0, nothing, 0); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"who they join may be the creator", `pthread_t me; void *f(void *p) { pthread_join(h ? b : me, 0); g++; return 0; }
			int main(void) { me = pthread_self(); pthread_create(&b, 0, nothing, 0); pthread_create(&a, 0, f, 0); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"a thread and its child join each other", `void *f(void *p) { pthread_join(a, 0); g++; return 0; } void *mid(void *p) { pthread_create(&b, 0, f, 0); pthread_join(b, 0); g = 1; return 0; }
			int main(void) { pthread_create(&a, 0, mid, 0); pthread_exit(0); }`, scan.Suspected},
		{"the child joins another one", `pthread_t x; void *f(void *p) { pthread_join(x, 0); g++; return 0; } void *mid(void *p) { pthread_create(&b, 0, f, 0); pthread_join(b, 0); g = 1; return 0; }
			int main(void) { pthread_create(&x, 0, nothing, 0); pthread_create(&a, 0, mid, 0); pthread_exit(0); }`, scan.Ordered},
		{"a function that creates is called from two places", `void f(void) { pthread_create(&a, 0, inc, 0); } void x(void) { f(); } void y(void) { f(); }
			int main(int c, char **v) { if (c > 1) { x(); pthread_join(a, 0); } y(); g = 1; return 0; }`, scan.Suspected},
		{"a function that creates is called from two places, and the other one", `void f(void) { pthread_create(&a, 0, inc, 0); } void x(void) { f(); } void y(void) { f(); }
			int main(int c, char **v) { if (c > 1) { y(); pthread_join(a, 0); } x(); g = 1; return 0; }`, scan.Suspected},
		{"one of two timers", timer + `struct event f = e; e.function = tick; f.function = tock; timer_create(0, c > 1 ? &e : &f, &x); g = 1; return 0; }`, scan.Suspected},
		{"the other one of two timers", timer + `struct event f = e; e.function = tock; f.function = tick; timer_create(0, c > 1 ? &e : &f, &x); g = 1; return 0; }`, scan.Suspected},
		{"a timer that is made through a pointer", timer + `int (*make)() = timer_create; e.function = tick; make(0, &e, &x); g = 1; return 0; }`, scan.Suspected},
		{"the id of another one's child", `void make(void *(*f)(void *)) { pthread_create(&a, 0, f, 0); } void *other(void *p) { make(nothing); return 0; }
			int main(void) { pthread_create(&b, 0, other, 0); make(inc); pthread_join(a, 0); g = 1; return 0; }`, scan.Suspected},
		{"joined by C11's function", `#include <threads.h>
			thrd_t x; int f(void *p) { g++; return 0; } int main(void) { thrd_create(&x, f, 0); thrd_join(x, 0); g = 1; return 0; }`, scan.Ordered},
		{"they join each other by C11's function", `#include <threads.h>
			thrd_t x, me; int f(void *p) { thrd_join(me, 0); g++; return 0; } int main(void) { me = thrd_current(); thrd_create(&x, f, 0); thrd_join(x, 0); g = 1; return 0; }`, scan.Suspected},
		{"before main", `__attribute__((constructor)) void x(void) { pthread_create(&a, 0, inc, 0); } int main(void) { g = 1; return 0; }`, scan.Suspected},
		{"one of two before main", `__attribute__((constructor)) void x(void) { pthread_create(&a, 0, inc, 0); } __attribute__((constructor)) void y(void) { h = 1; } int main(void) { g = 1; return 0; }`, scan.Suspected},
		{"the other one of two before main", `__attribute__((constructor)) void x(void) { h = 1; } __attribute__((constructor)) void y(void) { pthread_create(&a, 0, inc, 0); } int main(void) { g = 1; return 0; }`, scan.Suspected},
		{"before main, and joined", `__attribute__((constructor)) void x(void) { pthread_create(&a, 0, inc, 0); pthread_join(a, 0); } int main(void) { g = 1; return 0; }`, scan.Ordered},
		{"a thread ends the program", `__attribute__((destructor)) void x(void) { g++; } void *f(void *p) { exit(0); } int main(void) { pthread_create(&a, 0, f, 0); for (;;) g++; }`, scan.Suspected},
		{"no thread ends the program", `__attribute__((destructor)) void x(void) { g++; } void *f(void *p) { return 0; } int main(void) { pthread_create(&a, 0, f, 0); for (;;) g++; }`, scan.Ordered},
		{"a thread creates one of its kind", `void *f(void *p) { if (h) pthread_create(&a, 0, f, 0); g++; return 0; } int main(void) { pthread_create(&b, 0, f, 0); return 0; }`, scan.Suspected},
		{"a thread creates another one in the same way", `void make(void *(*f)(void *)) { pthread_create(&a, 0, f, 0); } void *f(void *p) { make(inc); return 0; }
			int main(void) { make(f); g = 1; return 0; }`, scan.Suspected},
		{"one of two functions creates", `void x(void) { pthread_create(&a, 0, inc, 0); } void y(void) { h = 1; }
			int main(int c, char **v) { void (*f)(void) = c > 1 ? x : y; f(); g = 1; return 0; }`, scan.Suspected},
		{"the other one of two functions creates", `void x(void) { h = 1; } void y(void) { pthread_create(&a, 0, inc, 0); }
			int main(int c, char **v) { void (*f)(void) = c > 1 ? x : y; f(); g = 1; return 0; }`, scan.Suspected},
		{"neither of two functions leaves a thread", `void x(void) { h = 1; } void y(void) { pthread_create(&a, 0, inc, 0); pthread_join(a, 0); }
			int main(int c, char **v) { void (*f)(void) = c > 1 ? x : y; f(); g = 1; return 0; }`, scan.Ordered},
		{"a lock", `int main(void) { pthread_create(&a, 0, locked, 0); locked(0); return 0; }`, scan.Locked},
		{"the first of two locks is held in a call", `void f(void) { g++; } void both(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); f(); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); }
			int main(void) { pthread_create(&a, 0, locked, 0); both(); return 0; }`, scan.Locked},
		{"the second of two locks is held in a call", `void f(void) { g++; } void *both(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); f(); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
			int main(void) { pthread_create(&a, 0, both, 0); pthread_mutex_lock(&n); g++; pthread_mutex_unlock(&n); return 0; }`, scan.Locked},
		{"another lock", `int main(void) { pthread_create(&a, 0, locked, 0); pthread_mutex_lock(&n); g++; pthread_mutex_unlock(&n); return 0; }`, scan.Suspected},
		{"the creator's lock", `int main(void) { pthread_mutex_lock(&m); pthread_create(&a, 0, inc, 0); g++; pthread_mutex_unlock(&m); return 0; }`, scan.Suspected},
		{"readers", `void *r(void *p) { return g ? p : 0; } int main(void) { g = 2; pthread_create(&a, 0, r, 0); return g; }`, scan.ReadOnly},
		{"atomic", `void *f(void *p) { __atomic_fetch_add(&g, 1, 5); return 0; } int main(void) { pthread_create(&a, 0, f, 0); f(0); return 0; }`, scan.Atomic},
		{"half atomic", `void *f(void *p) { __atomic_fetch_add(&g, 1, 5); return 0; } int main(void) { pthread_create(&a, 0, f, 0); g++; return 0; }`, scan.Suspected},
		{"handler", `void f(int s) { g++; } int main(void) { signal(SIGINT, f); g++; return 0; }`, scan.Ordered},
		{"called back", `void outside(void (*)(void)); void cb(void) { pthread_create(&a, 0, inc, 0); g++; } int main(void) { outside(cb); return 0; }`, scan.Suspected},
		{"called back later", `void outside(void (*)(void)); void later(void); void cb(void) { g++; }
			int main(void) { outside(cb); pthread_create(&a, 0, inc, 0); later(); return 0; }`, scan.Suspected},
		{"given to unknown code", `void outside(int *); int main(void) { pthread_create(&a, 0, inc, 0); outside(&g); return 0; }`, scan.Suspected},
		{"at exit", `void f(void) { g++; } int main(void) { atexit(f); pthread_create(&a, 0, inc, 0); return 0; }`, scan.Suspected},
		{"copied", `int main(void) { pthread_create(&a, 0, inc, 0); memcpy(&h, &g, sizeof g); return 0; }`, scan.Suspected},
		{"read by the library", `void *f(void *p) { fgets((char *)&g, 4, stdin); return 0; } int main(void) { pthread_create(&a, 0, f, 0); printf("%s", (char *)&g); return 0; }`, scan.Suspected},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 6)
			r := analyse(t, load(t, text(t, header+c.src)).Program)
			why, found := scan.Ordered, false
			for _, l := range r.Locations {
				if l.Name == "g" {
					why, found = l.Why, true
				}
			}
			if why != c.why || !found && c.why != scan.Ordered {
				t.Errorf("%s instead of %s (%t)", why, c.why, found)
			}
		})
	}
}

// TestOwn has objects that are initialised before others know them, and are handed on with and without synchronising.
func TestOwn(t *testing.T) {
	const src = header + `#include <stdatomic.h>
struct s { int x; } *p;
struct s *_Atomic q;
static void *give(void *arg) {
  struct s *n = malloc(sizeof *n);
  n->x = 1;
  PUBLISH(n);
  return 0;
}
static void *take(void *arg) {
  struct s *n;
  TAKE(n);
  return n && n->x ? arg : 0;
}
int main(void) {
  pthread_create(&a, 0, FIRST, 0);
  SECOND(0);
  return 0;
}`
	for name, c := range map[string]struct {
		macros string
		free   bool
	}{
		"lock":    {"#define PUBLISH(n) pthread_mutex_lock(&m); p = n; pthread_mutex_unlock(&m)\n#define TAKE(n) pthread_mutex_lock(&m); n = p; pthread_mutex_unlock(&m)\n", true},
		"nothing": {"#define PUBLISH(n) p = n\n#define TAKE(n) n = p\n", false},
		"atomic":  {"#define PUBLISH(n) q = n\n#define TAKE(n) n = q\n", true},
		"relaxed": {"#define PUBLISH(n) atomic_store_explicit(&q, n, memory_order_relaxed)\n#define TAKE(n) n = atomic_load_explicit(&q, memory_order_relaxed)\n", false},
		"late":    {"#define PUBLISH(n) q = n; n->x = 2\n#define TAKE(n) n = q\n", false},
	} {
		for _, roles := range []string{"#define FIRST give\n#define SECOND take\n", "#define FIRST take\n#define SECOND give\n"} {
			r := analyse(t, load(t, text(t, roles+c.macros+src)).Program)
			free := true
			for _, l := range r.Locations {
				if strings.HasSuffix(l.Name, ".x") || strings.HasPrefix(l.Name, "(malloc") {
					free = free && l.Why != scan.Suspected
				}
			}
			if free != c.free {
				t.Errorf("%s: free: %t", name, free)
			}
		}
	}
}

// TestThreads tells the identities of threads of a program whose threads are created by a wrapper.
func TestThreads(t *testing.T) {
	r := analyse(t, load(t, text(t, header+`static pthread_t start(void *(*f)(void *)) { pthread_t x; pthread_create(&x, 0, f, 0); return x; }
		int main(void) { start(inc); start(nothing); return 0; }`)).Program)
	var names []string
	for _, x := range r.Threads {
		names = append(names, x.Name)
	}
	if got := strings.Join(names, " "); got != "main inc nothing" {
		t.Error(got)
	}
	if !strings.Contains(strings.Join(r.Assumptions, "\n"), "pthread_create does not fail") {
		t.Error(r.Assumptions)
	}
}

// TestNewLocks has locks in memory that is allocated while there are threads: what the allocation writes there is no harm, what is
// written when others know of it is.
func TestNewLocks(t *testing.T) {
	const program = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct queue { pthread_mutex_t lock; int length; } *known;
static void *other(void *p) { return p; }
static void *serve(void *p) {
  struct queue *q = p;
  pthread_mutex_lock(&q->lock);
  q->length++;
  pthread_mutex_unlock(&q->lock);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0);
  struct queue *q = calloc(1, sizeof *q);
  FIRST
  pthread_create(&u, 0, serve, q);
  SECOND
  pthread_mutex_lock(&q->lock);
  q->length++;
  pthread_mutex_unlock(&q->lock);
  return 0;
}
`
	for _, c := range []struct {
		first, second string
		free          bool
	}{
		{"", "", true},
		{"pthread_mutex_init(&q->lock, 0);", "", true},
		{"memset(q, 0, sizeof *q);", "", true},
		{"", "memset(&q->lock, 0, sizeof q->lock);", false},
		{"", "pthread_mutex_init(&q->lock, 0);", false},
	} {
		r := analyse(t, load(t, text(t, strings.NewReplacer("FIRST", c.first, "SECOND", c.second).Replace(program))).Program)
		if _, suspects := r.RaceFree(); (suspects == 0) != c.free {
			t.Errorf("%s, %s: %d suspects", c.first, c.second, suspects)
		}
	}
}
