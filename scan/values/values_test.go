package values_test

import (
	"slices"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/internal/randstr"
	"comus/scan/pointsto"
	"comus/scan/values"
)

func analysed(t *testing.T, src string, o values.Options) *values.Result {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := values.Analyse(t.Context(), p.Program, pts, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const decls = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
`

// pairs are programs that differ by one thing only.
var pairs = []struct{ name, proved, open string }{
	{"constant", "int main(void) { int x = 3; assert(x == 3); }", "int main(void) { int x = __VERIFIER_nondet_int(); assert(x == 3); }"},
	{"loop", "int main(void) { int i; for (i = 0; i < 1000; i++) ; assert(i == 1000); }", "int main(void) { int i; for (i = 0; i != __VERIFIER_nondet_int(); i++) ; assert(i <= 1000); }"},
	{"steps", "int main(void) { int i; for (i = 0; i < 1000; i += 4) ; assert(i % 4 == 0 && i <= 1000); }", "int main(void) { int i; for (i = 0; i < 1000; i += 3) ; assert(i <= 1000); }"},
	{"even", "int main(void) { int x = __VERIFIER_nondet_int(); if (x % 2 == 0) { x += 4; assert(x % 2 == 0); } }", "int main(void) { int x = __VERIFIER_nondet_int(); if (x % 2 == 0) { x += 3; assert(x % 2 == 0); } }"},
	{"multiples", "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 7 && x % 6 == 0) assert(x >= 12 && x % 3 == 0); }", "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 7 && x % 6 == 0) assert(x >= 13); }"},
	{"negative multiples", "int main(void) { int x = __VERIFIER_nondet_int(); if (x < -7 && x > -99 && x % 6 == 0) assert(x <= -12 && x >= -96); }", "int main(void) { int x = __VERIFIER_nondet_int(); if (x < -7 && x > -99 && x % 6 == 0) assert(x <= -13); }"},
	{"what steps leave", "int main(void) { unsigned x = 3; while (__VERIFIER_nondet_int()) { if (x < 900) x += 6; } assert(x % 3 == 0 && x % 6 == 3); }", "int main(void) { int x = -3; while (__VERIFIER_nondet_int()) { if (x < 900) x += 6; } assert(x % 6 == 3); }"},
	{"not a remainder", "int main(void) { int x = __VERIFIER_nondet_int(); if (x % 4 == 0) assert(x % 4 == 0); }", "int main(void) { int x = __VERIFIER_nondet_int(); if (x % 4 != 0) assert(x % 4 > 0); }"},
	{"branch", "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 9) assert(x - 6 <= 2); }", "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 || x < 9) assert(x - 6 <= 2); }"},
	{"not", "int main(void) { int x = __VERIFIER_nondet_int(); if (!(x < 5)) assert(x >= 5); }", "int main(void) { int x = __VERIFIER_nondet_int(); if (!(x < 4)) assert(x >= 5); }"},
	{"switch", "int main(void) { int x = __VERIFIER_nondet_int(); switch (x) { case 1: case 7: assert(x < 8); } }", "int main(void) { int x = __VERIFIER_nondet_int(); switch (x) { case 1: case 9: assert(x < 8); } }"},
	{"default", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); switch (x) { case 0: break; default: assert(x > 0); } }", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); switch (x) { case 1: break; default: assert(x > 0); } }"},
	{"unsigned wraps", "int main(void) { unsigned char x = 255; x++; assert(x == 0); }", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); assert(x + 1 > 0); }"},
	{"sign", "int main(void) { int x = -1; unsigned y = x; assert(y == 4294967295u); }", "int main(void) { int x = __VERIFIER_nondet_int(); unsigned y = x; assert(y < 4294967295u); }"},
	{"division", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); assert(x / 16 < 0x10000000u && x % 16 < 16); }", "int main(void) { int x = __VERIFIER_nondet_int(); assert(x % 16 >= 0); }"},
	{"bits", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); assert((x & 7) <= 7 && (x >> 28) < 16); }", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); assert((x | 7) <= 7); }"},
	{"null", "int main(void) { int x, *p = &x; assert(p); }", "int g; int main(void) { int x, *p = __VERIFIER_nondet_int() ? &x : 0; assert(p); }"},
	{"null checked", "int *p; int main(void) { p = __VERIFIER_nondet_int() ? (int *)&p : 0; if (p) assert(p != 0); }", "int *p; int main(void) { p = __VERIFIER_nondet_int() ? (int *)&p : 0; if (1) assert(p != 0); }"},
	{"call", "int f(int x) { return x + 1; } int main(void) { assert(f(1) == 2); assert(f(5) == 6); }", "int f(int x) { return x + __VERIFIER_nondet_int(); } int main(void) { assert(f(1) == 2); }"},
	{"by pointer", "void f(int *p) { *p = 3; } int main(void) { int x = 1; f(&x); assert(x == 3); }", "void f(int *p) { if (__VERIFIER_nondet_int()) *p = 3; } int main(void) { int x = 1; f(&x); assert(x == 3); }"},
	{"kept", "int g; void f(void) { g++; } int main(void) { int x = 1; for (;;) { f(); assert(x == 1); } }", "int g; void f(int *p) { *p = 2; } int main(void) { int x = 1; for (;;) { f(&x); assert(x == 1); } }"},
	{"recursion", "int f(int n) { if (n <= 0) return 0; f(n - 1); return 7; } int main(void) { assert(f(__VERIFIER_nondet_int()) <= 7); }", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { assert(f(__VERIFIER_nondet_int()) <= 7); }"},
	{"recursive locals", "void f(int n, int *q) { int x = 1; if (n) f(n - 1, &x); if (!q) return; *q = 1; } int main(void) { int y = 0; f(2, &y); assert(y <= 1); }",
		"int f(int n, int *q) { int x = 1; if (n) f(n - 1, &x); if (q) *q = 2; return x; } int main(void) { assert(f(3, 0) == 1); }"},
	{"uninitialised", "int main(void) { int x; x = 1; assert(x == 1); }", "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; assert(x == 1); }"},
	{"life", "int main(void) { for (int i = 0; i < 3; i++) { int x = 0; assert(x == 0); x = 5; } }", "int main(void) { for (int i = 0; i < 3; i++) { int x; if (!i) x = 0; assert(x == 0); x = 5; } }"},
	{"static data", "static const int t[] = {3, 5, 9}; int main(void) { int x = t[__VERIFIER_nondet_uint() % 3]; assert(x >= 3 && x <= 9); }", "static int t[4] = {3, 5, 9}; int main(void) { assert(t[__VERIFIER_nondet_uint() % 4] >= 3); }"},
	{"fill", "int a[10]; int main(void) { a[3] = 4; memset(a, 0, sizeof a); struct { int x, y; } s; memset(&s, 0, sizeof s); assert(s.y == 0); }", "int main(void) { struct { int x, y; } s; memset(&s, 0, sizeof(int)); assert(s.y == 0); }"},
	{"struct copy", "struct s { int x, y; }; int main(void) { struct s a = {1, 2}, b; b = a; assert(b.y == 2); }", "struct s { int x, y; }; int main(void) { struct s a = {1, 2}, b; b = a; a.y = 3; b.x = a.y; assert(b.x == 1); }"},
	{"union", "union { int i; unsigned u; } u; int main(void) { u.i = 1; assert(u.i == 1); }", "union { int i; char c; } u; int main(void) { u.i = 1; u.c = 2; assert(u.i == 1); }"},
	{"bits of struct", "struct { int a; int b; } s; int main(void) { s.a = 1; s.b = 2; assert(s.a == 1); }", "struct { int a : 4; int b : 4; } s; int main(void) { s.a = 1; s.b = 2; assert(s.a == 2); }"},
	{"not yet threads", "int g; void *f(void *a) { g = 1; return 0; } int main(void) { assert(g == 0); g = 5; assert(g == 5); pthread_t t; pthread_create(&t, 0, f, 0); }",
		"int g; void *f(void *a) { g = 1; return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); assert(g == 5); }"},
	{"others", "int g; void *f(void *a) { g = 1; return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); int x = g; assert(x == 5 || x == 1); }",
		"int g; void *f(void *a) { g = 2; g = 1; return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); int x = g; assert(x == 5 || x == 1); }"},
	{"published", "int g; void *f(void *a) { assert(g == 5); return 0; } int main(void) { g = 4; g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }",
		"int g; void *f(void *a) { assert(g == 5); return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); g = 4; }"},
	{"argument", "void *f(void *a) { assert((long)a == 3); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, (void *)3L); }",
		"void *f(void *a) { assert((long)a == 3); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, (void *)3L); pthread_create(&t, 0, f, (void *)4L); }"},
	{"thread-local", "_Thread_local int g; void *f(void *a) { assert(g == 0); g = 1; return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); assert(g == 5); }",
		"int g; void *f(void *a) { assert(g == 0); return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }"},
	{"thread-local, known to others", "_Thread_local int g = 5; int *p; void *f(void *a) { assert(g == 5); return 0; } int main(void) { p = &g; g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }",
		"_Thread_local int g; int *p; void *f(void *a) { assert(g == 5); return 0; } int main(void) { p = &g; g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }"},
	{"heap", "int main(void) { int *p = malloc(4); assert(p); }", "int main(void) { int *p = malloc(4); *p = 1; int *q = malloc(4); assert(*q == 1); }"},
	{"longjmp", "#include <setjmp.h>\njmp_buf b; int main(void) { int x = 1; x = 1; setjmp(b); x = 1; assert(x == 1); longjmp(b, 1); }",
		"#include <setjmp.h>\njmp_buf b; int main(void) { volatile int x = 1; setjmp(b); assert(x == 1); x = 2; longjmp(b, 1); }"},
	{"pointer to function", "int one(void) { return 1; } int two(void) { return 2; } int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : two; assert(f() <= 2); }",
		"int one(void) { return 1; } int two(void) { return 2; } int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : two; assert(f() <= 1); }"},
	{"unknown function", "void u(int *); int g; int main(void) { int x = 1, y = 2; u(&x); assert(y == 2); }", "void u(int *); int g; int main(void) { int x = 1; u(&x); assert(x == 1); }"},
	{"compare and exchange", "int g; int main(void) { int e = 1; assert(!__atomic_compare_exchange_n(&g, &e, 2, 0, 5, 5)); }", "int g; int main(void) { int e = 0; __atomic_compare_exchange_n(&g, &e, 2, 0, 5, 5); assert(g == 0); }"},
	{"exit handlers", "int g = 1; void h(void) { assert(g == 2); } int main(void) { g = 2; atexit(h); }", "int g = 1; void h(void) { assert(g == 2); } int main(void) { atexit(h); }"},
	{"destructor", "int g = 1; __attribute__((destructor)) void h(void) { assert(g == 2); } int main(void) { g = 2; }", "int g = 1; __attribute__((destructor)) void h(void) { assert(g == 2); } int main(void) { }"},
	{"under a lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { g = 1; assert(g == 1); g = 0; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"as the lock leaves it", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); assert(g == 0); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); assert(g == 0); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); g = 2; }`},
	{"another lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); assert(g == 0); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); g = 0; pthread_mutex_unlock(&m); }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); assert(g == 0); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&n); g = 3; pthread_mutex_unlock(&n); }`},
	{"a reader without it", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); assert(g == 0); pthread_mutex_unlock(&m); }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); assert(g == 0); }`},
	{"in a branch", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); if (__VERIFIER_nondet_int()) g = 5; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); int x = g; assert(x == 0 || x == 5); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); if (__VERIFIER_nondet_int()) g = 5; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(g == 0); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"given back in between", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"given back by a function", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void h(void) { }  void *f(void *a) { pthread_mutex_lock(&m); g = 1; h(); assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void h(void) { }  void *f(void *a) { pthread_mutex_lock(&m); g = 1; pthread_mutex_unlock(&m);pthread_mutex_lock(&m); assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"waiting for a condition", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *a) { pthread_mutex_lock(&m); g = 1; pthread_cond_signal(&c); assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *a) { pthread_mutex_lock(&m); g = 1; pthread_cond_wait(&c, &m); assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"perhaps locked", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; if (__VERIFIER_nondet_int()) pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"initialised again", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void *f(void *a) { pthread_mutex_lock(&m); g = 1; assert(g == 1); g = 0; pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_mutex_init(&m, 0); }`},
	{"atomic section", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); void *f(void *a) { __VERIFIER_atomic_begin(); g = 1; assert(g == 1); g = 0; __VERIFIER_atomic_end(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); void *f(void *a) { __VERIFIER_atomic_begin(); g = 1; __VERIFIER_atomic_end(); assert(g == 1); g = 0; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"seen in between", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); void *f(void *a) { __VERIFIER_atomic_begin(); assert(g == 0); g = 1; g = 0; __VERIFIER_atomic_end(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int g; void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); void *f(void *a) { __VERIFIER_atomic_begin(); assert(g == 0); g = 1; __VERIFIER_atomic_end(); g = 0; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);  }`},
	{"elements", `int a[2]; int main(void) { a[0] = 1; a[1] = 2; assert(a[0] <= 2); }`,
		`int a[2]; int main(void) { a[0] = 1; a[1] = 2; assert(a[0] == 2); }`},
	{"one of two", `int main(void) { int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; assert(x <= 3 && y <= 3); }`,
		`int main(void) { int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; assert(x == 1); }`},
	{"longjmp of a static", `#include <setjmp.h>
jmp_buf b; static int g; int main(void) { setjmp(b); assert(g <= 1); g = 1; longjmp(b, 1); }`,
		`#include <setjmp.h>
jmp_buf b; static int g; int main(void) { setjmp(b); assert(g == 0); g = 1; longjmp(b, 1); }`},
	{"loaded before", `int main(void) { int x = __VERIFIER_nondet_int() & 7; if (x < 5) { x++; assert(x <= 5); } }`,
		`int main(void) { int x = __VERIFIER_nondet_int() & 7; if (x++ < 5) assert(x <= 4); }`},
	{"life again", `int main(void) { for (int i = 0; i < 3; i++) { int x; x = 5; assert(x == 5); } }`,
		`int main(void) { for (int i = 0; i < 3; i++) { int x; if (!i) x = 5; assert(x == 5); } }`},
	{"fill a part", `int main(void) { int x = 256; memset(&x, 0, 4); assert(x == 0); }`,
		`int main(void) { int x = 257; memset(&x, 0, 1); assert(x != 256); }`},
	{"atomic addition", `int g; int main(void) { __atomic_fetch_add(&g, 1, 5); assert(g == 1); }`,
		`int g; int main(void) { __atomic_fetch_add(&g, 1, 5); assert(g == 0); }`},
	{"through a pointer under a lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int g, h; void *f(void *a) { pthread_mutex_lock(&m); int *p = &g; *p = 5; assert(g == 5); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int g, h; void *f(void *a) { pthread_mutex_lock(&m); int *p = __VERIFIER_nondet_int() ? &g : &h; *p = 5; assert(g == 5); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }`},
	{"in a branch under a lock", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int g, h; void *f(void *a) { pthread_mutex_lock(&m); g = 5; if (__VERIFIER_nondet_int()) h = 5; assert(g == 5); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }`,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int g, h; void *f(void *a) { pthread_mutex_lock(&m); if (__VERIFIER_nondet_int()) g = 5; assert(g == 5); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }`},
	{"after an assertion", `void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(1); assert(1); }`,
		`void __VERIFIER_assert(int); int main(void) { __VERIFIER_assert(1); assert(__VERIFIER_nondet_int()); }`},
	{"threads and longjmp", `#include <setjmp.h>
jmp_buf b; int g; void *f(void *a) { g = 2; return 0; } int main(void) { pthread_t t; if (!setjmp(b)) { pthread_create(&t, 0, f, 0); longjmp(b, 1); } g = 1; int x = g; assert(x <= 2); }`,
		`#include <setjmp.h>
jmp_buf b; int g; void *f(void *a) { g = 2; return 0; } int main(void) { pthread_t t; if (!setjmp(b)) { pthread_create(&t, 0, f, 0); longjmp(b, 1); } g = 1; assert(g == 1); }`},
	{"thread-local from its value", `_Thread_local int g = 3; void *f(void *a) { assert(g == 3); return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }`,
		`_Thread_local int g = 3; void *f(void *a) { g = a ? 4 : 5; assert(g == 3); return 0; } int main(void) { g = 5; pthread_t t; pthread_create(&t, 0, f, 0); }`},
	{"an older activation", `void f(int n, int *q) { int x = 1; if (q) { x = 2; assert(x == 2); } } int main(void) { int y; f(1, 0); f(0, &y); }`,
		`void f(int n, int *q) { int x = 1; if (q) { *q = 2; assert(x == 2); } else f(0, &x); } int main(void) { f(1, 0); }`},
	{"conversion that loses", `int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 256 && (unsigned char)x == 3) assert(x == 3); }`,
		`int main(void) { int x = __VERIFIER_nondet_int(); if ((unsigned char)x == 3) assert(x == 3); }`},
}

// TestAssertions has pairs of programs: the assertion of the first is proved, that of the second is not.
func TestAssertions(t *testing.T) {
	for _, c := range pairs {
		t.Run(c.name, func(t *testing.T) { proves(t, decls+c.proved, decls+c.open) })
	}
}

// TestStrings is TestAssertions about lengths of strings.
func TestStrings(t *testing.T) {
	for _, c := range randstr.Pairs {
		t.Run(c.Name, func(t *testing.T) { proves(t, randstr.Decls+c.Proved, randstr.Decls+c.Open) })
	}
}

// proves expects that the assertions of a program are proved, and not all of those of another one.
func proves(t *testing.T, proved, open string) {
	t.Helper()
	t.Parallel()
	for _, x := range analysed(t, proved, values.Options{}).Assertions() {
		if !x.Proved {
			t.Errorf("%s: %s is not proved: %s", x.Site.Pos, x.Instr.Name, x.Reason)
		}
	}
	if !slices.ContainsFunc(analysed(t, open, values.Options{}).Assertions(), func(x *values.Assertion) bool { return !x.Proved }) {
		t.Errorf("proved, but false: %s", open)
	}
}
