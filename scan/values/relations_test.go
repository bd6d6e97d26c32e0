package values_test

import (
	"testing"

	"comus/scan/values"
)

// locks begins programs with two locks.
const locks = decls + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n#define LOCK(x) pthread_mutex_lock(&x)\n#define UNLOCK(x) pthread_mutex_unlock(&x)\n"

const locksAndSections = locks + "void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n#define BEGIN __VERIFIER_atomic_begin()\n#define END __VERIFIER_atomic_end()\n"

// two begins f as two threads.
const two = " int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }"

// related are programs that differ by one thing only: a relation holds in the first.
var related = []struct{ name, proved, open string }{
	{"both counted", "int a, b; void *f(void *x) { LOCK(m); a++; b++; UNLOCK(m); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; b++; UNLOCK(m); LOCK(m); b++; assert(a == b); UNLOCK(m); return 0; }" + two},
	{"given back in between", "int a, b; void *f(void *x) { LOCK(m); a++; b++; UNLOCK(m); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; UNLOCK(m); LOCK(m); b++; UNLOCK(m); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"which lock", "int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; UNLOCK(m); LOCK(n); b++; assert(a == b); UNLOCK(n); return 0; }" + two},
	{"two locks", "int a, b; void *f(void *x) { LOCK(m); LOCK(n); a++; b++; assert(a == b); UNLOCK(n); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); LOCK(n); a++; UNLOCK(n); LOCK(n); b++; UNLOCK(n); UNLOCK(m); LOCK(n); b++; b--; UNLOCK(n); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"one cell of another lock", "int a, b; void *f(void *x) { LOCK(m); LOCK(n); a++; b++; assert(a == b); UNLOCK(n); UNLOCK(m); return 0; } void *g(void *x) { LOCK(m); LOCK(n); a++; b++; UNLOCK(n); UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }",
		"int a, b; void *f(void *x) { LOCK(m); LOCK(n); a++; b++; assert(a == b); UNLOCK(n); UNLOCK(m); return 0; } void *g(void *x) { LOCK(n); b++; UNLOCK(n); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }"},
	{"main writes without the lock", "int a, b; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { a = b = __VERIFIER_nondet_int(); pthread_t t; pthread_create(&t, 0, f, 0); }",
		"int a, b; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); a = b = __VERIFIER_nondet_int(); }"},
	{"before threads", "int a = 5, b = 5; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { pthread_t t; a++; b++; pthread_create(&t, 0, f, 0); }",
		"int a = 5, b = 5; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { pthread_t t; a++; pthread_create(&t, 0, f, 0); b++; }"},
	{"held while threads begin", "int a, b; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { pthread_t t; LOCK(m); a++; pthread_create(&t, 0, f, 0); b++; UNLOCK(m); }",
		"int a, b; void *f(void *x) { LOCK(m); assert(a == b); UNLOCK(m); return 0; } int main(void) { pthread_t t; LOCK(m); a++; pthread_create(&t, 0, f, 0); UNLOCK(m); LOCK(m); b++; UNLOCK(m); }"},
	{"a queue", "int head, tail, count; void *p(void *x) { for (;;) { LOCK(m); if (count < 8) { head++; count++; } UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); assert(head - tail == count); if (count > 0) { tail++; count--; } UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }",
		"int head, tail, count; void *p(void *x) { for (;;) { LOCK(m); if (count < 8) { head++; count++; } UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); assert(head - tail == count); tail++; if (count > 0) { count--; } UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }"},
	{"a queue's room", "int in, out; void *p(void *x) { for (;;) { LOCK(m); if (in - out < 8) in++; UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); assert(in - out <= 8 && in >= out); if (in > out) out++; UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }",
		"int in, out; void *p(void *x) { for (;;) { LOCK(m); if (in - out <= 8) in++; UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); assert(in - out <= 8 && in >= out); if (in > out) out++; UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }"},
	{"waiting for room", "int in, out; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *p(void *x) { for (;;) { LOCK(m); while (in - out >= 8) pthread_cond_wait(&c, &m); in++; assert(in - out <= 8); UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); if (in > out) out++; UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }",
		"int in, out; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *p(void *x) { for (;;) { LOCK(m); if (in - out >= 8) pthread_cond_wait(&c, &m); in++; assert(in - out <= 8); UNLOCK(m); } } void *f(void *x) { for (;;) { LOCK(m); if (in > out) out++; UNLOCK(m); } } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }"},
	{"a sum that stays", "int a = 50, b = 50; void *f(void *x) { int v = __VERIFIER_nondet_int(); if (v < 0 || v > 9) return 0; LOCK(m); a -= v; b += v; UNLOCK(m); LOCK(m); assert(a + b == 100); UNLOCK(m); return 0; }" + two,
		"int a = 50, b = 50; void *f(void *x) { int v = __VERIFIER_nondet_int(); if (v < 0 || v > 9) return 0; LOCK(m); a -= v; if (v) b += v - 1; UNLOCK(m); LOCK(m); assert(a + b == 100); UNLOCK(m); return 0; }" + two},
	{"a flag", "int full, box; void *p(void *x) { LOCK(m); if (!full) { box = 7; full = 1; } UNLOCK(m); return 0; } void *f(void *x) { LOCK(m); if (full) { assert(box == 7); full = 0; } UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }",
		"int full, box; void *p(void *x) { LOCK(m); if (!full) { full = 1; } else box = 7; UNLOCK(m); return 0; } void *f(void *x) { LOCK(m); if (full) { assert(box == 7); full = 0; } UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }"},
	{"a flag that others set", "int full, box; void *p(void *x) { LOCK(m); if (!full) { box = 7; full = 1; } UNLOCK(m); return 0; } void *f(void *x) { LOCK(m); if (full) { assert(box == 7); } UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); }",
		"int full, box; void *p(void *x) { LOCK(m); if (!full) { box = 7; full = 1; } UNLOCK(m); return 0; } void *f(void *x) { LOCK(m); if (full) { assert(box == 7); } UNLOCK(m); return 0; } void *g(void *x) { full = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, p, 0); pthread_create(&t, 0, g, 0); }"},
	{"index", "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) assert(i < n && i >= 0); }",
		"int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i <= n; i++) assert(i < n && i >= 0); }"},
	{"of types of their own", "int main(void) { unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i < n; i++) assert(i + 1 <= n); }",
		"int main(void) { unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i <= n; i++) assert(i + 1 <= n + 1); }"},
	{"wrapping around", "unsigned a, b; int main(void) { a = b = __VERIFIER_nondet_uint(); if (a < 100) { a++; assert(a > b); } }",
		"unsigned a, b; int main(void) { a = b = __VERIFIER_nondet_uint(); a++; assert(a > b); }"},
	{"narrow", "int a, b; int main(void) { a = __VERIFIER_nondet_int(); b = a; if (a >= 0 && a < 9) { unsigned char c = a; assert(c == b); } }",
		"int a, b; int main(void) { a = __VERIFIER_nondet_int(); b = a; { unsigned char c = a; assert(c == b); } }"},
	{"before it is counted", "int main(void) { int i = __VERIFIER_nondet_int() & 7, j; j = i++; assert(j + 1 == i); }",
		"int main(void) { int i = __VERIFIER_nondet_int() & 7, j; j = ++i; assert(j + 1 == i); }"},
	{"exchanged", "int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a + 1; int c = a; a = b; b = c; assert(a == b + 1); }",
		"int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a + 1; a = b; b = a; assert(a == b + 1); }"},
	{"negated", "int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a; a = 9 - a; assert(a + b == 9); }",
		"int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a; a = 9 - a; b = 8 - a; assert(a + b == 9); }"},
	{"by a function", "int a, b; void up(void) { a++; b++; } void *f(void *x) { LOCK(m); up(); assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void up(void) { a++; UNLOCK(m); LOCK(m); b++; } void *f(void *x) { LOCK(m); up(); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"kept over a call", "int g; void up(void) { g++; } int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a; up(); assert(a == b); }",
		"int g; void up(int *p) { g++; (*p)++; } int main(void) { int a = __VERIFIER_nondet_int() & 7, b = a; up(&b); assert(a == b); }"},
	{"kept over a lock", "int g; void *f(void *x) { int a = __VERIFIER_nondet_int() & 7, b = a; LOCK(m); g++; UNLOCK(m); assert(a == b); return 0; }" + two,
		"int g, a; void *f(void *x) { LOCK(m); a = __VERIFIER_nondet_int() & 7; int b = a; UNLOCK(m); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"through a pointer", "int a, b; void *f(void *x) { int *p = &a; LOCK(m); (*p)++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b, c; void *f(void *x) { int *p = __VERIFIER_nondet_int() ? &a : &c; LOCK(m); (*p)++; b++; assert(a == b); UNLOCK(m); return 0; }" + two},
	{"filled", "int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; b++; memset(&a, 0, __VERIFIER_nondet_uint() % 5); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"atomic addition", "int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; b++; __atomic_fetch_add(&a, 1, 5); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"a local of several threads", "int *q, b; void *f(void *x) { int a = 0; LOCK(m); if (!q) q = &a; a = b; assert(a == b || 1); UNLOCK(m); return 0; }" + two,
		"int *q, b; void *f(void *x) { int a = 0; LOCK(m); if (q) *q = 5; q = &a; b = 1; a = b; UNLOCK(m); LOCK(m); assert(a == b); UNLOCK(m); return 0; }" + two},
	{"each activation has its own", "void f(int n) { int a = n, b = n; assert(a == b); } int main(void) { f(__VERIFIER_nondet_int()); f(3); }",
		"void f(int n, int *q) { int a = n, b = n; if (n > 0) f(n - 1, &a); if (q) *q = 7; assert(a == b); } int main(void) { f(__VERIFIER_nondet_int() & 3, 0); }"},
	{"a thread that ends with the lock", "int a, b; void *f(void *x) { LOCK(m); assert(a == b); a++; b++; UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); assert(a == b); a++; UNLOCK(m); pthread_exit(0); }" + two},
	{"perhaps locked", "int a, b; void *f(void *x) { int k = __VERIFIER_nondet_int(); if (k) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); } return 0; }" + two,
		"int a, b; void *f(void *x) { int k = __VERIFIER_nondet_int(); if (k) LOCK(m); a++; b++; assert(a == b); if (k) UNLOCK(m); return 0; }" + two},
	{"lock that is overwritten", "int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); pthread_mutex_init(&m, 0); return 0; }" + two},
	{"one of two locks", "int a, b; void *f(void *x) { LOCK(m); a++; b++; assert(a == b); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { pthread_mutex_t *k = __VERIFIER_nondet_int() ? &m : &n; LOCK(*k); a++; b++; assert(a == b); UNLOCK(*k); return 0; }" + two},
	{"given back one of two", "int a, b; void *f(void *x) { LOCK(m); LOCK(n); a++; b++; UNLOCK(n); LOCK(n); assert(a == b); UNLOCK(n); UNLOCK(m); return 0; }" + two,
		"int a, b; void *f(void *x) { LOCK(m); a++; LOCK(n); pthread_mutex_t *k = __VERIFIER_nondet_int() ? &m : &n; UNLOCK(*k); LOCK(*k); b++; assert(a == b); UNLOCK(n); UNLOCK(m); return 0; }" + two},
	{"written by a library function", "int a, b; int main(void) { a = b = __VERIFIER_nondet_int(); assert(a == b); }",
		"int a, b; void u(int *); int main(void) { a = b = __VERIFIER_nondet_int(); u(&a); assert(a == b); }"},
	{"a lock for each thread", "int g; pthread_mutex_t k; void *f(void *x) { LOCK(k); g = 1; assert(g == 1); g = 0; UNLOCK(k); return 0; }" + two,
		"int g; void *f(void *x) { pthread_mutex_t k; pthread_mutex_init(&k, 0); LOCK(k); g = 1; assert(g == 1); g = 0; UNLOCK(k); return 0; }" + two},
	{"a thread-local lock", "int g; static pthread_mutex_t k; void *f(void *x) { LOCK(k); g = 1; assert(g == 1); g = 0; UNLOCK(k); return 0; }" + two,
		"int g; static _Thread_local pthread_mutex_t k; void *f(void *x) { LOCK(k); g = 1; assert(g == 1); g = 0; UNLOCK(k); return 0; }" + two},
	{"a lock of main's", "int g; void *f(void *x) { pthread_mutex_t *k = x; pthread_mutex_lock(k); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(k); return 0; } int main(void) { pthread_mutex_t k; pthread_mutex_init(&k, 0); pthread_t t; pthread_create(&t, 0, f, &k); pthread_create(&t, 0, f, &k); pthread_exit(0); }",
		"int g; void *f(void *x) { pthread_mutex_t *k = x; pthread_mutex_lock(k); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(k); return 0; } void begin(void) { pthread_mutex_t k; pthread_mutex_init(&k, 0); pthread_t t; pthread_create(&t, 0, f, &k); pthread_join(t, 0); } void *h(void *x) { begin(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, h, 0); pthread_create(&t, 0, h, 0); pthread_exit(0); }"},
	{"a local of main's", "struct s { int a, b; }; void *f(void *x) { struct s *p = x; LOCK(m); p->a++; p->b++; assert(p->a == p->b); UNLOCK(m); return 0; } int main(void) { struct s v = {0, 0}; pthread_t t; pthread_create(&t, 0, f, &v); pthread_create(&t, 0, f, &v); pthread_exit(0); }",
		"struct s { int a, b; }; void *f(void *x) { struct s *p = x; LOCK(m); p->a++; p->b++; assert(p->a == p->b); UNLOCK(m); return 0; } int main(void) { struct s v = {0, 0}; pthread_t t; pthread_create(&t, 0, f, &v); pthread_create(&t, 0, f, &v); v.b++; pthread_exit(0); }"},
	{"another activation's local", "int *q; void g(void) { int x = 0; x = 1; assert(x == 1); UNLOCK(m); for (;;) ; } void *f(void *a) { LOCK(m); g(); return 0; }" + two,
		"int *q; void g(void) { int x = 0; if (q) { *q = 1; assert(x == 1); } q = &x; UNLOCK(m); for (;;) ; } void *f(void *a) { LOCK(m); g(); return 0; }" + two},
	{"atomic sections", "int a, b; void *f(void *x) { BEGIN; a++; b++; END; BEGIN; assert(a == b); END; return 0; }" + two,
		"int a, b; void *f(void *x) { BEGIN; a++; END; BEGIN; b++; END; BEGIN; assert(a == b); END; return 0; }" + two},
	{"all in atomic sections", "int a, b; void *f(void *x) { BEGIN; a++; b++; END; BEGIN; assert(a == b); END; return 0; } void *g(void *x) { BEGIN; a++; b++; END; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }",
		"int a, b; void *f(void *x) { BEGIN; a++; b++; END; BEGIN; assert(a == b); END; return 0; } void *g(void *x) { a++; b++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }"},
	{"nested sections", "int a, b; void *f(void *x) { BEGIN; a++; BEGIN; END; b++; END; BEGIN; assert(a == b); END; return 0; }" + two,
		"int a, b; void *f(void *x) { BEGIN; a++; END; BEGIN; BEGIN; END; b++; END; BEGIN; assert(a == b); END; return 0; }" + two},
	{"perhaps in a section", "int a, b; void *f(void *x) { if (__VERIFIER_nondet_int()) { BEGIN; a++; b++; assert(a == b); END; } return 0; }" + two,
		"int a, b; void *f(void *x) { int k = __VERIFIER_nondet_int(); if (k) BEGIN; a++; b++; assert(a == b); if (k) END; return 0; }" + two},
	{"a section that ends with its thread", "int a, b; void *f(void *x) { BEGIN; assert(a == b); a++; b++; END; return 0; }" + two,
		"int a, b; void *f(void *x) { BEGIN; assert(a == b); a++; pthread_exit(0); }" + two},
	{"a lock and sections", "int a, b; void *f(void *x) { BEGIN; a++; b++; assert(a == b); END; return 0; }" + two,
		"int a, b; void *f(void *x) { BEGIN; a++; b++; assert(a == b); END; return 0; } void *g(void *x) { LOCK(m); a++; UNLOCK(m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }"},
	{"copied", "int a, b; int main(void) { a = b = __VERIFIER_nondet_int(); assert(a == b); }",
		"int a, b, c = 3; int main(void) { a = b = __VERIFIER_nondet_int(); memcpy(&a, &c, sizeof a); assert(a == b); }"},
	{"life begins again", "int main(void) { int k = 0; for (int i = 0; i < 3; i++) { int x = i; assert(x == i); k = x; } assert(k <= 2); }",
		"int main(void) { for (int i = 0; i < 3; i++) { int x; if (i == 0) x = i; assert(x == i || i == 0); } }"},
	{"assertion of another function", "void check(int c) { if (!c) assert(0); } int a, b; void *f(void *x) { LOCK(m); a++; b++; check(a == b); UNLOCK(m); return 0; }" + two,
		"void check(int c) { if (!c) assert(0); } int a, b; void *f(void *x) { LOCK(m); a++; check(a == b); b++; UNLOCK(m); return 0; }" + two},
}

// TestRelations has pairs of programs: the assertions of the first are proved, those of the second are not.
func TestRelations(t *testing.T) {
	for _, c := range related {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, x := range analysed(t, locksAndSections+c.proved, values.Options{}).Assertions() {
				if !x.Proved {
					t.Errorf("%s: %s is not proved: %s", x.Site.Pos, x.Instr.Name, x.Reason)
				}
			}
			open := 0
			for _, x := range analysed(t, locksAndSections+c.open, values.Options{}).Assertions() {
				if !x.Proved {
					open++
				}
			}
			if open == 0 {
				t.Errorf("proved, but false: %s", c.open)
			}
		})
	}
}
