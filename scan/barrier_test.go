package scan_test

import (
	"testing"

	"comus/scan"
)

const barrierHeader = header + `
#define WAIT pthread_barrier_wait(&bar);
pthread_barrier_t bar, bar2;
int data[8], out[8];
struct ctx { int n; pthread_barrier_t bar; int total; };
`

// rounds is a program of some threads that do the same, which are given their numbers, and main.
func rounds(init, n, thread, main string) string {
	return "static void *work(void *p) { int id = (int)(long)p; " + thread + " return 0; } int main(int argc, char **argv) { pthread_t t[64]; int n = argc; " + init +
		" for (int i = 0; i < " + n + "; i++) pthread_create(&t[i], 0, work, (void *)(long)i); " + main + " return 0; }"
}

// TestBarriers has threads that wait at barriers.
func TestBarriers(t *testing.T) {
	const init4, init5 = "pthread_barrier_init(&bar, 0, 4);", "pthread_barrier_init(&bar, 0, 5);"
	const pthread = "static void *one(void *p) { WAIT g = 2; return 0; } "
	checkRules(t, barrierHeader, "g", []ruled{
		{"written, waited, read", rounds(init5, "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"read, waited, written", rounds(init5, "4", "int k = g; WAIT", "WAIT g = 1;"), scan.Ordered},
		{"written afterwards", rounds(init5, "4", "WAIT int k = g;", "WAIT g = 1;"), scan.Suspected},
		{"two rounds", rounds(init5, "4", "WAIT int k = g; WAIT", "g = 1; WAIT WAIT g = 2;"), scan.Ordered},
		{"in a row, one too few", rounds(init5, "4", "WAIT int k = g; WAIT", "g = 1; WAIT g = 2; WAIT"), scan.Suspected},
		{"two in a loop", rounds(init5, "4", "for (int i = 0; i < 9; i++) { WAIT int k = g; WAIT }", "for (int i = 0; i < 9; i++) { g = i; WAIT WAIT }"), scan.Ordered},
		{"three in a loop", rounds(init5, "4", "while (h) { WAIT int k = g; WAIT k = g; WAIT }", "while (h) { g = 1; WAIT WAIT WAIT }"), scan.Ordered},
		{"two in a loop, three in another one", rounds(init5, "4", "while (h) { WAIT int k = g; WAIT }", "while (h) { g = 1; WAIT WAIT WAIT }"), scan.Suspected},
		{"one in a loop", rounds(init5, "4", "while (h) { int k = g; WAIT }", "while (h) { g = 1; WAIT }"), scan.Suspected},
		{"one in a loop, before it", rounds(init5, "4", "while (h) { WAIT int k = g; }", "g = 1; while (h) { WAIT }"), scan.Ordered},
		{"skipped in some case", rounds(init5, "4", "if (h) WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"more threads than it is for", rounds(init4, "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"fewer threads than it is for", rounds(init5, "3", "WAIT int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"up to", rounds(init5, "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"in steps", "static void *work(void *p) { WAIT int k = g; return 0; } int main(void) { pthread_t t[64]; " + init5 + " for (int i = 2; i <= 8; i += 2) pthread_create(&t[i], 0, work, 0); g = 1; WAIT return 0; }", scan.Ordered},
		{"one more step", "static void *work(void *p) { WAIT int k = g; return 0; } int main(void) { pthread_t t[64]; " + init5 + " for (int i = 1; i <= 5; i++) pthread_create(&t[i], 0, work, 0); g = 1; WAIT return 0; }", scan.Suspected},
		{"down", "static void *work(void *p) { WAIT int k = g; return 0; } int main(void) { pthread_t t[64]; " + init5 + " for (int i = 3; i >= 0; i--) pthread_create(&t[i], 0, work, 0); g = 1; WAIT return 0; }", scan.Ordered},
		{"n threads", rounds("pthread_barrier_init(&bar, 0, n + 1);", "n", "WAIT int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"n threads, and it is for them alone", rounds("pthread_barrier_init(&bar, 0, n);", "n", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"n threads, n changes", rounds("pthread_barrier_init(&bar, 0, n + 1); n++;", "n", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"n threads and another one", pthread + rounds("pthread_barrier_init(&bar, 0, n + 2); pthread_create(&a, 0, one, 0);", "n", "WAIT", "g = 1; WAIT"), scan.Suspected},
		{"n threads, as a byte", rounds("pthread_barrier_init(&bar, 0, (unsigned char)(n + 1));", "n", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"up to a byte", rounds("pthread_barrier_init(&bar, 0, n + 1);", "(signed char)n", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"a thread that only waits", rounds(init5+" pthread_create(&a, 0, (void *(*)(void *))pthread_barrier_wait, &bar);", "4", "WAIT", "g = 1; WAIT WAIT g = 2;"), scan.Ordered},
		{"a thread that only waits, too", rounds(init5+" pthread_create(&a, 0, (void *(*)(void *))pthread_barrier_wait, &bar);", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"n threads, any number", rounds("pthread_barrier_init(&bar, 0, h);", "n", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"another one waits, too", pthread + rounds(init5+" pthread_create(&a, 0, one, 0);", "4", "WAIT", "g = 1; WAIT"), scan.Suspected},
		{"another one waits, too, and it is for it", pthread + rounds("pthread_barrier_init(&bar, 0, 6); pthread_create(&a, 0, one, 0);", "4", "WAIT", "g = 1; WAIT"), scan.Ordered},
		{"created twice", "static void *work(void *p) { WAIT int k = g; return 0; } static void all(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0); } int main(void) { " + init5 + " all(); g = 1; WAIT all(); return 0; }", scan.Suspected},
		{"created in a function", "static void *work(void *p) { WAIT int k = g; return 0; } static void all(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0); } int main(void) { " + init5 + " all(); g = 1; WAIT return 0; }", scan.Ordered},
		{"created in a loop in a loop", "static void *work(void *p) { WAIT int k = g; return 0; } int main(void) { pthread_t t[4]; " + init5 + " for (int j = 0; j < 2; j++) for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0); g = 1; WAIT return 0; }", scan.Suspected},
		{"two creations in a turn", "static void *work(void *p) { WAIT int k = g; return 0; } int main(void) { pthread_t t[4]; " + init5 + " for (int i = 0; i < 4; i++) { pthread_create(&t[i], 0, work, 0); pthread_create(&a, 0, work, 0); } g = 1; WAIT return 0; }", scan.Suspected},
		{"created by threads one after the other", "static void *work(void *p) { WAIT int k = g; return 0; } static void *start(void *p) { pthread_t t[4]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0); return 0; } int main(void) { pthread_barrier_init(&bar, 0, 4); for (int j = 0; j < 2; j++) { pthread_create(&a, 0, start, 0); pthread_join(a, 0); } g = 1; WAIT return 0; }", scan.Suspected},
		{"created by some threads one after the other", "static void *work(void *p) { WAIT int k = g; return 0; } static void *start(void *p) { pthread_t t[4]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0); return 0; } int main(int argc, char **argv) { pthread_barrier_init(&bar, 0, 4); for (int j = 0; j < argc; j++) { pthread_create(&a, 0, start, 0); pthread_join(a, 0); } g = 1; WAIT return 0; }", scan.Suspected},
		{"created by a thread", "static void *work(void *p) { WAIT int k = g; return 0; } static void *start(void *p) { pthread_t t[4]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0); return 0; } int main(void) { pthread_barrier_init(&bar, 0, 4); pthread_create(&a, 0, start, 0); g = 1; WAIT return 0; }", scan.Ordered},
		{"created by a function that a function calls, twice", "static void *work(void *p) { WAIT int k = g; return 0; } static void all(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0); } static void more(void) { all(); } int main(void) { " + init5 + " more(); more(); g = 1; WAIT return 0; }", scan.Suspected},
		{"created by a function that a function calls", "static void *work(void *p) { WAIT int k = g; return 0; } static void all(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0); } static void more(void) { all(); } int main(void) { " + init5 + " more(); g = 1; WAIT return 0; }", scan.Ordered},
		{"who waits at one of two", "static void *either(void *p) { pthread_barrier_wait(h ? &bar : &bar2); return 0; } " + rounds(init5+" pthread_barrier_init(&bar2, 0, 5); pthread_create(&a, 0, either, 0);", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"who waits at another one", "static void *either(void *p) { pthread_barrier_wait(&bar2); return 0; } " + rounds(init5+" pthread_barrier_init(&bar2, 0, 5); pthread_create(&a, 0, either, 0);", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"made again for fewer", rounds(init5+" if (h) { pthread_barrier_destroy(&bar); pthread_barrier_init(&bar, 0, 2); }", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"written to", rounds(init5+" memset(&bar, 0, sizeof bar);", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"another one", rounds(init5+" pthread_barrier_init(&bar2, 0, 5);", "4", "pthread_barrier_wait(&bar2); int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"of two", rounds(init5+" pthread_barrier_init(&bar2, 0, 5); pthread_barrier_t *q = argc > 1 ? &bar : &bar2;", "4", "pthread_barrier_wait(argc() ? &bar : &bar2); int k = g;", "g = 1; WAIT pthread_barrier_wait(q);"), scan.Suspected},
		{"never made", rounds("", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"for processes", rounds("pthread_barrierattr_t at; pthread_barrierattr_init(&at); pthread_barrier_init(&bar, &at, 5);", "4", "WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
		{"in a function", "static void sync(void) { WAIT } " + rounds(init5, "4", "sync(); int k = g; sync();", "g = 1; sync(); sync(); g = 2;"), scan.Ordered},
		{"in a function, in some case", "static void sync(void) { if (h) WAIT } " + rounds(init5, "4", "sync(); int k = g; sync();", "g = 1; sync(); sync(); g = 2;"), scan.Suspected},
		{"a pointer to it", "static void sync(pthread_barrier_t *b) { pthread_barrier_wait(b); } " + rounds(init5, "4", "sync(&bar); int k = g; sync(&bar);", "g = 1; sync(&bar); sync(&bar); g = 2;"), scan.Ordered},
		{"accessed by a function", "static int get(void) { return g; } " + rounds(init5, "4", "WAIT int k = get(); WAIT", "g = 1; WAIT WAIT g = 2;"), scan.Ordered},
		{"accessed by a function, elsewhere too", "static int get(void) { return g; } " + rounds(init5, "4", "get(); WAIT int k = get(); WAIT", "g = 1; WAIT WAIT g = 2;"), scan.Suspected},
		{"who does not wait", "static void *other(void *p) { g = 7; return 0; } " + rounds(init5+" pthread_create(&a, 0, other, 0);", "4", "WAIT", "WAIT WAIT g = 2;"), scan.Suspected},
		{"a child of who waits", "static void *other(void *p) { g = 7; return 0; } " + rounds(init5, "4", "WAIT pthread_t x; pthread_create(&x, 0, other, 0); WAIT", "g = 1; WAIT WAIT g = 2;"), scan.Suspected},
		{"recursive", "static void down(int k) { WAIT if (k) down(k - 1); WAIT } " + rounds(init5, "4", "down(id); int k = g;", "g = 1; WAIT"), scan.Ordered},
		{"recursive, as often as whatever", "static void down(int k) { WAIT if (k) down(k - 1); } " + rounds(init5, "4", "down(id); int k = g;", "WAIT g = 1; WAIT"), scan.Suspected},
		{"by a jump", "#include <setjmp.h>\njmp_buf env; " + rounds(init5, "4", "setjmp(env); WAIT int k = g;", "g = 1; WAIT"), scan.Suspected},
	})
}

// TestBarrierGiven has barriers that functions make for as many threads as they are told.
func TestBarrierGiven(t *testing.T) {
	const work = "static void *work(void *p) { WAIT int k = g; WAIT return 0; } "
	const make = "static int make(int k, unsigned n) { return pthread_barrier_init(&bar, 0, n); } "
	const create = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0); "
	program := func(make, main string) string {
		return work + make + " int main(int argc, char **argv) { pthread_t t[64]; int n = argc; " + main + " g = 1; WAIT WAIT g = 2; return 0; }"
	}
	checkRules(t, barrierHeader, "g", []ruled{
		{"a constant", program(make, "make(0, 5); for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);"), scan.Ordered},
		{"too small a constant", program(make, "make(0, 4); for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);"), scan.Suspected},
		{"two constants", program(make, "if (h) make(0, 5); else make(0, 4); for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);"), scan.Suspected},
		{"n", program(make, "make(0, (unsigned)n + 1);"+create), scan.Suspected}, // right, but sums without a sign are not followed
		{"n and main", program(make, "make(0, n + 1);"+create), scan.Ordered},
		{"n and not main", program(make, "make(0, n);"+create), scan.Suspected},
		{"another number", program(make, "make(n + 1, 3);"+create), scan.Suspected},
		{"n has changed since", program(make, "make(0, n + 1); n += h;"+create), scan.Suspected},
		{"n is another one then", program(make, "n = h; make(0, n + 1); n = h;"+create), scan.Suspected},
		{"more than one too few", program("static int make(int n) { return pthread_barrier_init(&bar, 0, n + 1); } ", "make(n - 1);"+create), scan.Suspected},
		{"one more there", program("static int make(int n) { return pthread_barrier_init(&bar, 0, n + 1); } ", "make(n);"+create), scan.Ordered},
		{"by a function that a function calls", program("static int make(int n) { return pthread_barrier_init(&bar, 0, n + 1); } static int all(int n, int m) { return make(m); }", "all(0, n);"+create), scan.Ordered},
		{"called from two places", program("static int make(int n) { return pthread_barrier_init(&bar, 0, n + 1); } ", "if (h) make(n); else make(n);"+create), scan.Suspected}, // right, but only one call is followed
		{"called from two places by other numbers", program("static int make(int n) { return pthread_barrier_init(&bar, 0, n + 1); } ", "if (h) make(n); else make(1);"+create), scan.Suspected},
		{"the number changes in the function", program("static int make(int n) { n = h; return pthread_barrier_init(&bar, 0, n + 1); } ", "make(n);"+create), scan.Suspected},
		{"as a byte", program("static int make(unsigned char n) { return pthread_barrier_init(&bar, 0, n + 1); } ", "make(n);"+create), scan.Suspected},
		{"called back", program("static void make(int n) { pthread_barrier_init(&bar, 0, n + 1); } ", "atexit((void (*)(void))make); make(n);"+create), scan.Suspected},
		{"by a pointer", program("static void make(int n) { pthread_barrier_init(&bar, 0, n + 1); } static void (*f)(int) = make; ", "f(n);"+create), scan.Ordered},
		{"created in a function", "static void *work(void *p) { WAIT int k = g; WAIT return 0; } static void make(int n) { pthread_barrier_init(&bar, 0, n + 1); } static void all(int n) { pthread_t t[64]; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0); } int main(int argc, char **argv) { make(argc); all(argc); g = 1; WAIT WAIT g = 2; return 0; }", scan.Ordered},
		{"created in a function, others", "static void *work(void *p) { WAIT int k = g; WAIT return 0; } static void make(int n) { pthread_barrier_init(&bar, 0, n + 1); } static void all(int n) { pthread_t t[64]; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0); } int main(int argc, char **argv) { make(argc); all(h); g = 1; WAIT WAIT g = 2; return 0; }", scan.Suspected},
		{"created in a function, twice", "static void *work(void *p) { WAIT int k = g; WAIT return 0; } static void make(int n) { pthread_barrier_init(&bar, 0, n + 1); } static void all(int n) { pthread_t t[64]; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0); } int main(int argc, char **argv) { make(argc); all(argc); all(argc); g = 1; WAIT WAIT g = 2; return 0; }", scan.Suspected},
	})
}

// TestBarrierOwn has elements that threads write for themselves between barriers, and read of others behind.
func TestBarrierOwn(t *testing.T) {
	const init = "pthread_barrier_init(&bar, 0, 4);"
	checkRules(t, barrierHeader, "data[…]", []ruled{
		{"own, then others'", rounds(init, "4", "for (int k = 0; k < 9; k++) { data[id] = k; WAIT out[id] = data[(id + 1) % 4]; WAIT }", ""), scan.Ordered},
		{"one barrier is missing", rounds(init, "4", "for (int k = 0; k < 9; k++) { data[id] = k; WAIT out[id] = data[(id + 1) % 4]; }", ""), scan.Suspected},
	})
}

// TestBarrierHeap has barriers in objects that are allocated.
func TestBarrierHeap(t *testing.T) {
	body := func(make, wait string) string {
		return "static void *work(void *p) { struct ctx *c = p; " + wait + " int k = g; return 0; } int main(int argc, char **argv) { pthread_t t[64]; " + make +
			" for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, c); g = 1; pthread_barrier_wait(&c->bar); return 0; }"
	}
	const wait, alloc = "pthread_barrier_wait(&c->bar);", "struct ctx *c = malloc(sizeof *c); "
	checkRules(t, barrierHeader, "g", []ruled{
		{"allocated", body(alloc+"pthread_barrier_init(&c->bar, 0, 5);", wait), scan.Ordered},
		{"a local", body("struct ctx x, *c = &x; pthread_barrier_init(&c->bar, 0, 5);", wait), scan.Ordered},
		{"for too few", body(alloc+"pthread_barrier_init(&c->bar, 0, 4);", wait), scan.Suspected},
		{"one of several", "static struct ctx *make(void) { struct ctx *c = malloc(sizeof *c); pthread_barrier_init(&c->bar, 0, 5); return c; } " + body("struct ctx *c = 0; for (int i = 0; i < argc; i++) c = make();", wait), scan.Suspected},
		{"written over", body(alloc+"pthread_barrier_init(&c->bar, 0, 5); struct ctx d; memset(&d, 0, sizeof d); *c = d;", wait), scan.Suspected},
		{"filled before", body("struct ctx *c = calloc(1, sizeof *c); c->n = 4; pthread_barrier_init(&c->bar, 0, 5);", wait), scan.Suspected}, // right, but not proved since what calloc fills counts as written: so is the barrier
	})
}
