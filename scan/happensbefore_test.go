package scan_test

import (
	"testing"

	"comus/scan"
)

const happensBeforeHeader = header + `#include <semaphore.h>
#include <stdatomic.h>
int ready, other, arr[2];
atomic_int flag;
sem_t s, r;
pthread_once_t once = PTHREAD_ONCE_INIT, twice = PTHREAD_ONCE_INIT;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
`

// two is a program of main and a thread.
func two(thread, main string) string {
	return "static void *child(void *p) { " + thread + " return 0; } int main(int argc, char **argv) { pthread_create(&a, 0, child, 0); " + main + " return 0; }"
}

// TestFlags has flags that one thread sets and another one looks at.
func TestFlags(t *testing.T) {
	const set, wait = "LOCK ready = 1; pthread_cond_signal(&cv); UNLOCK ", "LOCK while (!ready) pthread_cond_wait(&cv, &m); UNLOCK "
	checkRules(t, happensBeforeHeader, "g", []ruled{
		{"set and awaited", two("g = 1; "+set, wait+"g = 2;"), scan.Ordered},
		{"the other way round", two(wait+"g = 1;", "g = 2; "+set), scan.Ordered},
		{"not awaited", two("g = 1; "+set, "LOCK if (!ready) g = 2; UNLOCK"), scan.Suspected},
		{"awaited by another condition", two("g = 1; "+set, "LOCK while (ready) pthread_cond_wait(&cv, &m); UNLOCK g = 2;"), scan.Suspected},
		{"after it was set", two(set+"g = 1;", wait+"g = 2;"), scan.Suspected},
		{"in a loop", two("for (int i = 0; i < 2; i++) { g = 1; "+set+"}", wait+"g = 2;"), scan.Suspected},
		{"set in some case before", two("if (g) { "+set+"} g = 1; "+set, wait+"g = 2;"), scan.Suspected},
		{"set by a function before", "static void early(int k) { if (k) { " + set + "} } " + two("early(other); g = 1; "+set, wait+"g = 2;"), scan.Suspected},
		{"awaited in some case", two("g = 1; "+set, "if (argc > 1) { "+wait+"} g = 2;"), scan.Suspected},
		{"awaited by a function", "static void await(void) { " + wait + "} " + two("g = 1; "+set, "await(); g = 2;"), scan.Ordered},
		{"awaited by a function, in some case", "static void await(int k) { if (k) return; " + wait + "} " + two("g = 1; "+set, "await(argc); g = 2;"), scan.Suspected},
		{"not under a lock", two("g = 1; ready = 1;", "if (ready) g = 2;"), scan.Suspected},
		{"under another lock", two("g = 1; "+set, "pthread_mutex_lock(&n); int k = ready; pthread_mutex_unlock(&n); if (k) g = 2;"), scan.Suspected},
		{"set from the beginning", two("g = 1; LOCK other = 1; UNLOCK", "LOCK int k = other; UNLOCK if (k) g = 2;"), scan.Ordered},
		{"counted", two("g = 1; LOCK ready++; UNLOCK", wait+"g = 2;"), scan.Suspected},
		{"set through a pointer, too", "int *q = &ready; static void *more(void *p) { LOCK *q = 1; UNLOCK return 0; } " + two("g = 1; "+set, "pthread_create(&b, 0, more, 0); "+wait+"g = 2;"), scan.Suspected},
		{"set by another one, too", "static void *more(void *p) { " + set + " return 0; } " + two("g = 1; "+set, "pthread_create(&b, 0, more, 0); "+wait+"g = 2;"), scan.Suspected},
		{"by two threads", "static void *child(void *p) { g = 1; " + set + " return 0; } int main(void) { pthread_create(&a, 0, child, 0); pthread_create(&b, 0, child, 0); " + wait + "g = 2; return 0; }", scan.Suspected},
		{"by two threads, one after the other", "static void *child(void *p) { g = 1; " + set + " return 0; } int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&a, 0, child, 0); if (i) { " + wait + " g = 2; } pthread_join(a, 0); } return 0; }", scan.Suspected},
		{"taken back", two("g = 1; "+set, wait+"LOCK ready = 0; UNLOCK g = 2;"), scan.Ordered},
		{"a number", two("g = 1; LOCK ready = 3; UNLOCK", "LOCK int k = ready; UNLOCK if (k == 3) g = 2;"), scan.Ordered},
		{"all but a number", two("g = 1; LOCK ready = 3; UNLOCK", "LOCK int k = ready; UNLOCK if (k == 3) h = 2; else g = 2;"), scan.Suspected},
		{"all but another number", two("g = 1; LOCK ready = 3; UNLOCK", "LOCK int k = ready; UNLOCK if (k != 0) g = 2; else h = 2;"), scan.Ordered},
		{"another number", two("g = 1; LOCK ready = 3; UNLOCK", "LOCK int k = ready; UNLOCK if (k != 3) g = 2;"), scan.Suspected},
		{"atomic", two("g = 1; flag = 1;", "if (flag) g = 2;"), scan.Ordered},
		{"atomic, released and acquired", two("g = 1; atomic_store_explicit(&flag, 1, memory_order_release);", "if (atomic_load_explicit(&flag, memory_order_acquire)) g = 2;"), scan.Ordered},
		{"relaxed store", two("g = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed);", "if (atomic_load(&flag)) g = 2;"), scan.Suspected},
		{"relaxed load", two("g = 1; atomic_store(&flag, 1);", "if (atomic_load_explicit(&flag, memory_order_relaxed)) g = 2;"), scan.Suspected},
		{"one of an array", two("g = 1; LOCK arr[0] = 1; UNLOCK", "LOCK int k = arr[0]; UNLOCK if (k) g = 2;"), scan.Ordered},
		{"one of an array that others write, too", "static void *more(void *p) { LOCK arr[(long)p] = 1; UNLOCK return 0; } " + two("g = 1; LOCK arr[1] = 1; UNLOCK", "pthread_create(&b, 0, more, (void *)1L); LOCK int k = arr[1]; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"one of an array that others write elsewhere", "static void *more(void *p) { LOCK arr[0] = 1; UNLOCK return 0; } " + two("g = 1; LOCK arr[1] = 1; UNLOCK", "pthread_create(&b, 0, more, 0); LOCK int k = arr[1]; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"a member behind an array that others write", "struct { int a[3], b; } st; static void *more(void *p) { LOCK st.a[(long)p] = 1; UNLOCK return 0; } " + two("g = 1; LOCK st.b = 1; UNLOCK", "pthread_create(&b, 0, more, (void *)1L); LOCK int k = st.b; UNLOCK if (k) g = 2;"), scan.Ordered},
		{"a member of an array of structs", "struct { int a, b; } st[3]; static void *more(void *p) { LOCK st[(long)p].b = 1; UNLOCK return 0; } " + two("g = 1; LOCK st[1].b = 1; UNLOCK", "pthread_create(&b, 0, more, (void *)1L); LOCK int k = st[1].b; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"set by main and by another one", "static void *early(void *p) { " + set + " return 0; } static void *late(void *p) { " + wait + " g = 2; return 0; } int main(void) { pthread_create(&a, 0, early, 0); pthread_create(&b, 0, late, 0); g = 1; " + set + " return 0; }", scan.Suspected},
		{"set by main only", "static void *early(void *p) { return 0; } static void *late(void *p) { " + wait + " g = 2; return 0; } int main(void) { pthread_create(&a, 0, early, 0); pthread_create(&b, 0, late, 0); g = 1; " + set + " return 0; }", scan.Ordered},
		{"defined elsewhere", "extern int ext; " + two("g = 1; LOCK ext = 1; UNLOCK", "LOCK int k = ext; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"something is added", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready + 1; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"a variable is added", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k + argc) g = 2;"), scan.Suspected},
		{"another than a variable", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k != h) g = 2;"), scan.Suspected},
		{"otherwise", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k != 0) h = 2; else g = 2;"), scan.Suspected},
		{"not yet", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k == 0) g = 2;"), scan.Suspected},
		{"not yet, it seems", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready == 0; UNLOCK if (k == 1) g = 2;"), scan.Suspected},
		{"as a character", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK if ((char)ready) { UNLOCK g = 2; } else { UNLOCK }"), scan.Ordered},
		{"not as a character", two("g = 1; LOCK ready = 256; UNLOCK", "LOCK if ((char)ready) { UNLOCK h = 2; } else { UNLOCK g = 2; }"), scan.Suspected},
		{"set by one of two functions before", "void x(void) { h = 3; } void y(void) { " + set + " } " + two("(other ? x : y)(); g = 1; "+set, wait+"g = 2;"), scan.Suspected},
		{"set by the other one of two functions before", "void x(void) { " + set + " } void y(void) { h = 3; } " + two("(other ? x : y)(); g = 1; "+set, wait+"g = 2;"), scan.Suspected},
		{"awaited by one of two functions", "void x(void) { h = 3; } void y(void) { " + wait + " } " + two("g = 1; "+set, "(other ? x : y)(); g = 2;"), scan.Suspected},
		{"awaited by the other one of two functions", "void x(void) { " + wait + " } void y(void) { h = 3; } " + two("g = 1; "+set, "(other ? x : y)(); g = 2;"), scan.Suspected},
		{"set by a function that two functions call", "void f(void) { " + set + " } void x(void) { f(); } void y(void) { f(); } " + two("if (other) y(); g = 1; "+set+" x();", wait+"g = 2;"), scan.Suspected},
		{"set by a function that two functions call, the other one", "void f(void) { " + set + " } void x(void) { f(); } void y(void) { f(); } " + two("if (other) x(); g = 1; "+set+" y();", wait+"g = 2;"), scan.Suspected},
		{"set before a jump back", "#include <setjmp.h>\njmp_buf j; " + two("int r = setjmp(j); if (r) g = 1; "+set+" if (!r) longjmp(j, 1);", wait+"g = 2;"), scan.Suspected},
		{"set by a function before a jump back", "#include <setjmp.h>\njmp_buf j; static void f(void) { " + set + " } " + two("int r = setjmp(j); if (r) g = 1; else { f(); longjmp(j, 1); }", wait+"g = 2;"), scan.Suspected},
		{"awaited by what code outside may call", "void outside(void (*)(void)); static void x(void) { " + wait + " } " + two("g = 1; "+set, "outside(x); g = 2;"), scan.Suspected},
		{"set by what code outside may call before", "void outside(void (*)(void), void (*)(void)); static void x(void) { " + set + " } static void y(void) { g = 1; } " + two("outside(x, y);", wait+"g = 2;"), scan.Suspected},
		{"set by what code outside may call before, the other one", "void outside(void (*)(void), void (*)(void)); static void x(void) { g = 1; } static void y(void) { " + set + " } " + two("outside(x, y);", wait+"g = 2;"), scan.Suspected},
		{"set before the end of the program", "__attribute__((destructor)) static void end(void) { g = 1; } " + two(wait+"g = 2;", set), scan.Suspected},
		{"set in some case before, by a function", "static void early(void) { " + set + " } " + two("if (other) early(); g = 1; "+set, wait+"g = 2;"), scan.Suspected},
		{"by a function after it was set, in some case", "static void late(void) { g = 1; } " + two("if (other) { "+set+" late(); }", wait+"g = 2;"), scan.Suspected},
		{"by a function of a function after it was set", "static void late(void) { g = 1; } static void more(void) { h++; late(); } " + two(set+" more();", wait+"g = 2;"), scan.Suspected},
		{"by a function of a function after it was set, in some case", "static void late(void) { g = 1; } static void more(void) { if (other) late(); } " + two(set+" more();", wait+"g = 2;"), scan.Suspected},
		{"by a function of two functions, the second one after it was set", "static void f(void) { g = 1; } static void x(void) { f(); } static void y(void) { f(); } " + two("x(); "+set+" y();", wait+"g = 2;"), scan.Suspected},
		{"by a function of two functions, the first one after it was set", "static void f(void) { g = 1; } static void x(void) { f(); } static void y(void) { f(); } " + two("y(); "+set+" x();", wait+"g = 2;"), scan.Suspected},
		{"by a function of two functions, the second one after it was awaited", "static void f(void) { g = 2; } static void x(void) { f(); } static void y(void) { f(); } " + two("g = 1; "+set, "x(); "+wait+" y();"), scan.Suspected},
		{"by a function of two functions, the first one after it was awaited", "static void f(void) { g = 2; } static void x(void) { f(); } static void y(void) { f(); } " + two("g = 1; "+set, "y(); "+wait+" x();"), scan.Suspected},
		{"set in one of two cases before", two("if (other) { LOCK ready = 1; UNLOCK } else h = 3; g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"set in the other one of two cases before", two("if (other) h = 3; else { LOCK ready = 1; UNLOCK } g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"seen in one of two cases", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (k) h = 3; else h = 4; g = 2;"), scan.Suspected},
		{"seen in the other one of two cases", two("g = 1; LOCK ready = 1; UNLOCK", "LOCK int k = ready; UNLOCK if (!k) h = 3; else h = 4; g = 2;"), scan.Suspected},
		{"set before the end of a program that begins before main", "__attribute__((constructor)) static void begin(void) { h = 3; } __attribute__((destructor)) static void end(void) { g = 1; } " + two(wait+"g = 2;", set), scan.Suspected},
		{"another one of an array", two("g = 1; LOCK arr[0] = 1; UNLOCK", "LOCK int k = arr[1]; UNLOCK if (k) g = 2;"), scan.Suspected},
	})
}

// TestInitialFlags has flags that do not begin with 0.
func TestInitialFlags(t *testing.T) {
	checkRules(t, happensBeforeHeader+"int open = 1, shut;\n", "g", []ruled{
		{"it was set before", two("g = 1; LOCK open = 1; UNLOCK", "LOCK int k = open; UNLOCK if (k) g = 2;"), scan.Suspected},
		{"it was set before, and another one was not", two("LOCK shut = 1; UNLOCK g = 1; LOCK open = 1; UNLOCK", "LOCK int j = shut, k = open; UNLOCK if (j) h = 1; if (k) g = 2;"), scan.Suspected},
		{"another one was set before", two("LOCK open = 1; UNLOCK g = 1; LOCK shut = 1; UNLOCK", "LOCK int j = open, k = shut; UNLOCK if (j) h = 1; if (k) g = 2;"), scan.Ordered},
		{"it was not", two("g = 1; LOCK shut = 1; UNLOCK", "LOCK int k = shut; UNLOCK if (k) g = 2;"), scan.Ordered},
	})
}

// TestSignals has semaphores that one thread counts up and another one waits for.
func TestSignals(t *testing.T) {
	body := func(value, thread, main string) string {
		return "static void *child(void *p) { " + thread + " return 0; } int main(int argc, char **argv) { sem_init(&s, 0, " + value + "); sem_init(&r, 0, 0); pthread_create(&a, 0, child, 0); " + main + " return 0; }"
	}
	checkRules(t, happensBeforeHeader, "g", []ruled{
		{"counted up and down", body("0", "g = 1; sem_post(&s);", "sem_wait(&s); g = 2;"), scan.Ordered},
		{"it begins with 1", body("1", "g = 1; sem_post(&s);", "sem_wait(&s); g = 2;"), scan.Suspected},
		{"it begins with whatever", body("argc", "g = 1; sem_post(&s);", "sem_wait(&s); g = 2;"), scan.Suspected},
		{"afterwards", body("0", "sem_post(&s); g = 1;", "sem_wait(&s); g = 2;"), scan.Suspected},
		{"another one", body("0", "g = 1; sem_post(&s); sem_post(&r);", "sem_wait(&r); g = 2;"), scan.Ordered},
		{"another one, first", body("0", "sem_post(&r); g = 1; sem_post(&s);", "sem_wait(&r); g = 2;"), scan.Suspected},
		{"counted up by itself, too", body("0", "g = 1; sem_post(&s);", "if (argc) sem_post(&s); sem_wait(&s); g = 2;"), scan.Suspected},
		{"counted up through a pointer, too", "static void post(sem_t *p) { sem_post(p); } " + body("0", "g = 1; sem_post(&s);", "if (argc) post(&s); sem_wait(&s); g = 2;"), scan.Suspected},
		{"counted up through a global, too", "sem_t *q = &s; static void post(void) { sem_post(q); } " + body("0", "g = 1; sem_post(&s);", "if (argc > 1) post(); sem_wait(&s); g = 2;"), scan.Suspected},
		{"counted up through a global that may be another one, too", "sem_t *q = &s; static void post(void) { sem_post(q); } " + body("0", "g = 1; sem_post(&s);", "if (argc > 2) q = &r; if (argc > 1) post(); sem_wait(&s); g = 2;"), scan.Suspected},
		{"counted up through a global that is another one", "sem_t *q = &r; static void post(void) { sem_post(q); } " + body("0", "g = 1; sem_post(&s);", "if (argc > 1) post(); sem_wait(&s); g = 2;"), scan.Ordered},
		{"given to unknown code", "void outside(int, sem_t *); " + body("0", "g = 1; sem_post(&s);", "outside(0, &s); sem_wait(&s); g = 2;"), scan.Suspected},
		{"interrupted", "void handler(int n) {} " + body("0", "g = 1; sem_post(&s);", "signal(SIGINT, handler); sem_wait(&s); g = 2;"), scan.Suspected},
		{"interrupted, and looked at", "void handler(int n) {} " + body("0", "g = 1; sem_post(&s);", "signal(SIGINT, handler); while (sem_wait(&s) != 0) ; g = 2;"), scan.Suspected},
		{"tried", body("0", "g = 1; sem_post(&s);", "sem_trywait(&s); g = 2;"), scan.Suspected},
		{"made again", body("0", "g = 1; sem_post(&s);", "if (argc > 1) sem_init(&s, 0, 1); sem_wait(&s); g = 2;"), scan.Suspected},
	})
}

// TestOnce has functions that are called once.
func TestOnce(t *testing.T) {
	body := func(thread string) string {
		return "static void *child(void *p) { " + thread + " return 0; } int main(int argc, char **argv) { pthread_create(&a, 0, child, 0); pthread_create(&b, 0, child, 0); return 0; }"
	}
	const init = "static void init(void) { g = 1; } static void *take(void *p) { h = g; return 0; } "
	checkRules(t, happensBeforeHeader+init, "g", []ruled{
		{"read after it", body("pthread_once(&once, init); int k = g;"), scan.Ordered},
		{"read before it", body("int k = g; pthread_once(&once, init);"), scan.Suspected},
		{"written after it", body("pthread_once(&once, init); g = 2;"), scan.Suspected},
		{"called in some case", body("if (other) pthread_once(&once, init); int k = g;"), scan.Suspected},
		{"called elsewhere, too", body("if (other) init(); pthread_once(&once, init); int k = g;"), scan.Suspected},
		{"for two objects", body("if (other) pthread_once(&twice, init); pthread_once(&once, init); int k = g;"), scan.Suspected},
		{"for another object", body("pthread_once(&twice, init); pthread_once(&once, (void (*)(void))abort); int k = g;"), scan.Ordered},
		{"the object is written to", body("pthread_once(&once, init); int k = g; once = 0;"), scan.Suspected},
		{"it is passed on", "static void call(pthread_once_t *o) { pthread_once(o, init); } " + body("call(&once); int k = g;"), scan.Suspected},
	})
}
