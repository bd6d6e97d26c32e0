package valuecheck_test

import (
	"slices"
	"testing"

	"comus/internal/randstr"
)

const decls = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void lib(void (*)(void));
int fuse_opt_parse(void *, void *, void *, int (*)(void *, const char *, int, void *));
pthread_t t, u;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
#define L pthread_mutex_lock(&m)
#define U pthread_mutex_unlock(&m)
`

// pairs are programs that differ by one thing only: in the first one all assertions are confirmed, in the second one not.
var pairs = []struct{ name, confirmed, open string }{
	{"constant", "int main(void) { int x = 3; assert(x == 3); }", "int main(void) { int x = __VERIFIER_nondet_int(); assert(x == 3); }"},
	{"loop", "int main(void) { int i; for (i = 0; i < 1000; i++) ; assert(i == 1000); }", "int main(void) { int i; for (i = 0; i <= 1000; i++) ; assert(i == 1000); }"},
	{"steps", "int main(void) { int i; for (i = 0; i < 1000; i += 4) ; assert(i % 4 == 0 && i <= 1000); }", "int main(void) { int i; for (i = 0; i < 1000; i += 3) ; assert(i <= 1000); }"},
	{"written after it was read", "int main(void) { int g = __VERIFIER_nondet_int(); __VERIFIER_assume(g == 3); assert(g == 3); }", "int main(void) { int g = __VERIFIER_nondet_int(); __VERIFIER_assume(g++ == 3); assert(g == 3); }"},
	{"divisors of both signs", "int main(void) { int d = __VERIFIER_nondet_int(); if (d >= -40 && d <= 40 && d) assert(60 / d <= 60); }", "int main(void) { int d = __VERIFIER_nondet_int(); if (d >= -40 && d <= 40 && d) assert(60 / d <= 0); }"},
	{"null", "int main(void) { int x, *p = &x; assert(p); }", "int g; int main(void) { int x, *p = __VERIFIER_nondet_int() ? &x : 0; assert(p); }"},
	{"allocated", "int main(void) { int *p = malloc(4); assert(p); }", "int main(void) { int *p = malloc(4); *p = 1; int *q = malloc(4); assert(*q == 1); }"},
	{"call", "int f(int x) { return x + 1; } int main(void) { assert(f(1) == 2); assert(f(5) == 6); }", "int f(int x) { return x + __VERIFIER_nondet_int(); } int main(void) { assert(f(1) == 2); }"},
	{"indirect call", "int a(int x) { return x; } int b(int x) { return x + 1; } int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? a : b; assert(f(1) <= 2); }",
		"int a(int x) { return x; } int b(int x) { return x + 2; } int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? a : b; assert(f(1) <= 2); }"},
	{"by pointer", "void f(int *p) { *p = 3; } int main(void) { int x = 1; f(&x); assert(x == 3); }", "void f(int *p) { if (__VERIFIER_nondet_int()) *p = 3; } int main(void) { int x = 1; f(&x); assert(x == 3); }"},
	{"changed by a call", "void f(int *p, int x) { x = 2; } int main(void) { int x = 1; f(&x, x); assert(x == 1); }", "void f(int *p, int x) { *p = 2; } int main(void) { int x = 1; f(&x, x); assert(x == 1); }"},
	{"perhaps changed by a call", "void f(int *p) { if (__VERIFIER_nondet_int()) *p = 1; } int main(void) { int x = 1; f(&x); assert(x == 1); }", "void f(int *p) { if (__VERIFIER_nondet_int()) *p = 2; } int main(void) { int x = 1; f(&x); assert(x == 1); }"},
	{"one of several elements", "int a[2]; int main(void) { a[0] = 2; a[1] = 2; assert(a[0] <= 2); }", "int a[2]; int main(void) { a[0] = 1; a[1] = 2; assert(a[0] == 2); }"},
	{"one of two under a lock", "int g, h; void *f(void *a) { L; g = h = 0; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); int *p = &g; L; g = 1; *p = 5; assert(g == 5); g = 0; U; }",
		"int g, h; void *f(void *a) { L; g = h = 0; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); int *p = __VERIFIER_nondet_int() ? &g : &h; L; g = 1; *p = 5; assert(g == 5); g = h = 0; U; }"},
	{"recursion", "int f(int n) { if (n <= 0) return 0; f(n - 1); return 7; } int main(void) { assert(f(__VERIFIER_nondet_int()) <= 7); }", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { assert(f(__VERIFIER_nondet_int()) <= 7); }"},
	{"recursive locals", "void f(int n, int *q) { int x = 1; if (n) f(n - 1, &x); if (!q) return; *q = 1; } int main(void) { int y = 0; f(2, &y); assert(y <= 1); }",
		"int f(int n, int *q) { int x = 1; if (n) f(n - 1, &x); if (q) *q = 2; return x; } int main(void) { assert(f(3, 0) == 1); }"},
	{"life", "int main(void) { for (int i = 0; i < 3; i++) { int x = 0; assert(x == 0); x = 5; } }", "int main(void) { for (int i = 0; i < 3; i++) { int x; if (!i) x = 0; assert(x == 0); x = 5; } }"},
	{"static data", "static const int tab[] = {3, 5, 9}; int main(void) { int x = tab[__VERIFIER_nondet_int() & 1]; assert(x >= 3 && x <= 9); }", "static int tab[4] = {3, 5, 9}; int main(void) { assert(tab[__VERIFIER_nondet_int() & 3] >= 3); }"},
	{"static address", "int x; int *p[2] = {0, &x}; int main(void) { struct { int *q; } s = {&x}; assert(s.q); }", "int x; int *p[2] = {0, &x}; int main(void) { assert(p[1]); }"},
	{"fill", "int main(void) { struct { int x, y; } s; memset(&s, 0, sizeof s); assert(s.y == 0); }", "int main(void) { struct { int x, y; } s; memset(&s, 0, sizeof(int)); assert(s.y == 0); }"},
	{"fill of a part", "struct { char c; int a[3]; } s; int main(void) { memset(&s, 0, sizeof s); assert(s.a[2] == 0); }", "struct { char c; int a[3]; } s; int main(void) { s.a[2] = 0x10101; memset(&s, 0, 14); assert(s.a[2] == 0 || s.a[2] == 0x10101); }"},
	{"struct copy", "struct s { int x, y; }; int main(void) { struct s a = {1, 2}, b; b = a; assert(b.y == 2); }", "struct s { int x, y; }; int main(void) { struct s a = {1, 2}, b; b = a; a.y = 3; b.x = a.y; assert(b.x == 1); }"},
	{"union", "union { int i; unsigned u; } w; int main(void) { w.i = 1; assert(w.i == 1); }", "union { int i; char c; } w; int main(void) { w.i = 1; w.c = 2; assert(w.i == 1); }"},
	{"overlap in an array", "int a[4]; int main(void) { a[2] = 5; assert(a[1] <= 5); }", "int a[4]; int main(void) { a[2] = 5; *(long *)&a[1] = 1L << 40; assert(a[2] <= 5); }"},
	{"not yet threads", "int g; void *f(void *a) { g = 1; return 0; } int main(void) { assert(g == 0); g = 5; assert(g == 5); pthread_create(&t, 0, f, 0); }",
		"int g; void *f(void *a) { g = 1; return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); assert(g == 5); }"},
	{"others", "int g; void *f(void *a) { g = 1; return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); int x = g; assert(x == 5 || x == 1); }",
		"int g; void *f(void *a) { g = 2; g = 1; return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); int x = g; assert(x == 5 || x == 1); }"},
	{"published", "int g; void *f(void *a) { assert(g == 5); return 0; } int main(void) { g = 4; g = 5; pthread_create(&t, 0, f, 0); }",
		"int g; void *f(void *a) { assert(g == 5); return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); g = 4; }"},
	{"argument", "void *f(void *a) { assert((long)a == 3); return 0; } int main(void) { pthread_create(&t, 0, f, (void *)3L); }",
		"void *f(void *a) { assert((long)a == 3); return 0; } int main(void) { pthread_create(&t, 0, f, (void *)3L); pthread_create(&u, 0, f, (void *)4L); }"},
	{"by the address", "void *f(void *a) { assert(*(int *)a <= 2); return 0; } int main(void) { static int x = 1; pthread_create(&t, 0, f, &x); x = 2; pthread_join(t, 0); }",
		"void *f(void *a) { assert(*(int *)a <= 2); return 0; } int main(void) { static int x = 1; pthread_create(&t, 0, f, &x); x = 3; pthread_join(t, 0); }"},
	{"thread-local", "_Thread_local int g; void *f(void *a) { assert(g == 0); g = 1; return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); assert(g == 5); }",
		"int g; void *f(void *a) { assert(g == 0); return 0; } int main(void) { g = 5; pthread_create(&t, 0, f, 0); }"},
	{"thread-local, by code outside", "void lib(void (*)(void)); _Thread_local int g = 1; void f(void) { g = 2; } int main(void) { lib(f); assert(g <= 2); }",
		"void lib(void (*)(void)); _Thread_local int g = 1; void f(void) { g = 2; } int main(void) { lib(f); assert(g == 1); }"},
	{"thread-local, in a function that code outside is called by", "void lib(void (*)(void)); _Thread_local int g = 1; void f(void) { g = 2; } void k(void) { lib(f); } int main(void) { k(); assert(g <= 2); }",
		"void lib(void (*)(void)); _Thread_local int g = 1; void f(void) { g = 2; } void k(void) { lib(f); } int main(void) { k(); assert(g == 1); }"},
	{"thread-local, known to others", "_Thread_local int g; int *p; void *f(void *a) { assert(p != 0); return 0; } int main(void) { p = &g; g = 5; pthread_create(&t, 0, f, 0); }",
		"_Thread_local int g; int *p; void *f(void *a) { assert(g == 5); return 0; } int main(void) { p = &g; g = 5; pthread_create(&t, 0, f, 0); }"},
	{"lock", "int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }",
		"int g; void *f(void *a) { g = 9; g = 1; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }"},
	{"another lock", "int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; int x = g; U; assert(x <= 1); }",
		"int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_mutex_lock(&n); int x = g; pthread_mutex_unlock(&n); assert(x <= 1); }"},
	{"what is kept under a lock", "int g; void *f(void *a) { L; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 5; assert(g == 5); g = 0; U; }",
		"int g; void *f(void *a) { L; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 5; U; L; assert(g == 5); g = 0; U; }"},
	{"a path that keeps", "int g; void *f(void *a) { L; if (__VERIFIER_nondet_int()) g = 7; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }",
		"int g; void *f(void *a) { L; if (__VERIFIER_nondet_int()) g = 7; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }"},
	{"a lock that is begun again", "int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_mutex_init(&m, 0); pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }",
		"int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); memset(&m, 0, sizeof m); L; assert(g <= 1); U; }"},
	{"a lock of each thread", "int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(g <= 1); U; }",
		"int g; void *f(void *a) { pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&k); g = 9; g = 1; assert(g == 1); pthread_mutex_unlock(&k); return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); }"},
	{"condition", "int g; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 1; pthread_cond_wait(&c, &m); assert(g <= 1); U; }",
		"int g; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *a) { L; g = 2; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 1; pthread_cond_wait(&c, &m); assert(g <= 1); U; }"},
	{"section", "int g; void *f(void *a) { __VERIFIER_atomic_begin(); g = 9; g = 1; __VERIFIER_atomic_end(); return 0; } int main(void) { pthread_create(&t, 0, f, 0); __VERIFIER_atomic_begin(); assert(g <= 1); __VERIFIER_atomic_end(); }",
		"int g; void *f(void *a) { __VERIFIER_atomic_begin(); g = 9; __VERIFIER_atomic_end(); g = 1; return 0; } int main(void) { pthread_create(&t, 0, f, 0); __VERIFIER_atomic_begin(); assert(g <= 1); __VERIFIER_atomic_end(); }"},
	{"atomic", "atomic_int g; void *f(void *a) { if (g < 9) g = 3; return 0; } int main(void) { pthread_create(&t, 0, f, 0); assert(g <= 3); }",
		"atomic_int g; void *f(void *a) { g++; return 0; } int main(void) { pthread_create(&t, 0, f, 0); assert(g <= 1); }"},
	{"signal", "#include <signal.h>\nint g = 1; void h(int s) { g = 2; } int main(void) { signal(SIGINT, h); assert(g >= 1 && g <= 2); }", "#include <signal.h>\nint g = 1; void h(int s) { g = 2; } int main(void) { signal(SIGINT, h); assert(g == 1); }"},
	{"code outside", "int g = 1; void f(void) { g = 2; } int main(void) { int x = 1; lib(f); assert(x == 1 && g <= 2); }", "int g = 1; void f(void) { g = 2; } int main(void) { int x = 1; lib(f); assert(g == 1); }"},
	{"by a contract", "int g = 1; int f(void *d, const char *a, int k, void *o) { g = 2; return 0; } int main(void) { fuse_opt_parse(0, 0, 0, f); assert(g <= 2); }",
		"int g = 1; int f(void *d, const char *a, int k, void *o) { g = 2; return 0; } int main(void) { fuse_opt_parse(0, 0, 0, f); assert(g == 1); }"},
	{"given back by code outside", "int g; void k(void) { } void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 1; lib(k); assert(g <= 1); U; }",
		"int g; void k(void) { U; } void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; g = 1; lib(k); assert(g <= 1); U; }"},
	{"jumps", "int main(void) { int x = 1; assert(x == 1); }", "#include <setjmp.h>\njmp_buf b; int main(void) { int x = 1; if (setjmp(b)) assert(x == 1); else longjmp(b, 1); }"},
	{"end of the program", "int g = 1; __attribute__((destructor)) void d(void) { assert(g <= 2); } int main(void) { g = 2; exit(0); }", "int g = 1; __attribute__((destructor)) void d(void) { assert(g == 1); } int main(void) { g = 2; exit(0); }"},
	{"last thread", "int g = 1; __attribute__((destructor)) void d(void) { assert(g <= 2); } void *f(void *a) { g = 2; return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_exit(0); }",
		"int g = 1; __attribute__((destructor)) void d(void) { assert(g == 1); } void *f(void *a) { g = 2; return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_exit(0); }"},
	{"read", "#include <unistd.h>\nint main(void) { int x = 1, y; read(0, &y, sizeof y); assert(x == 1); }", "#include <unistd.h>\nint main(void) { int x = 1; read(0, &x, sizeof x); assert(x == 1); }"},
	{"by assembler", "int main(void) { int x = 1, y = 1; __asm__ volatile(\"inc %0\" : : \"r\"(&y) : \"memory\"); assert(x == 1); }", "int main(void) { int x = 1; __asm__ volatile(\"inc %0\" : : \"r\"(&x) : \"memory\"); assert(x == 1); }"},
	{"by assembler, further on", "int main(void) { int x = 1, y = 1, *p = &y; __asm__ volatile(\"inc %0\" : : \"r\"(&p) : \"memory\"); assert(x == 1); }", "int main(void) { int x = 1, *p = &x; __asm__ volatile(\"inc %0\" : : \"r\"(&p) : \"memory\"); assert(x == 1); }"},
	{"at exit", "int g = 1; void f(void) { assert(g <= 2); } int main(void) { atexit(f); g = 2; return 0; }", "int g = 1; void f(void) { assert(g == 1); } int main(void) { atexit(f); g = 2; return 0; }"},
	{"fill of some bytes", "int main(void) { int x = 5, y; memset(&y, 0, __VERIFIER_nondet_int() ? sizeof y : 0); assert(x == 5); }", "int main(void) { int x = 5; memset(&x, 0, __VERIFIER_nondet_int() ? sizeof x : 0); assert(x == 5); }"},
	{"a lock of which some bytes are begun again", "int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_mutex_t k; pthread_create(&t, 0, f, 0); memset(&k, 0, __VERIFIER_nondet_int() ? sizeof k : 0); L; assert(g <= 1); U; }",
		"int g; void *f(void *a) { L; g = 9; g = 1; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); memset(&m, 0, __VERIFIER_nondet_int() ? sizeof m : 0); L; assert(g <= 1); U; }"},
	{"two locks that are begun again", "struct { pthread_mutex_t a, b; } k; int g, h; void *f(void *a) { pthread_mutex_lock(&k.a); h = 9; h = 1; pthread_mutex_unlock(&k.a); pthread_mutex_lock(&k.b); g = 9; g = 1; pthread_mutex_unlock(&k.b); return 0; } int main(void) { pthread_create(&t, 0, f, 0); memset(&k.a, 0, sizeof k.a); pthread_mutex_lock(&k.b); assert(g <= 1); pthread_mutex_unlock(&k.b); pthread_mutex_lock(&k.a); h = 0; pthread_mutex_unlock(&k.a); }",
		"struct { pthread_mutex_t a, b; } k; int g, h; void *f(void *a) { pthread_mutex_lock(&k.a); h = 9; h = 1; pthread_mutex_unlock(&k.a); pthread_mutex_lock(&k.b); g = 9; g = 1; pthread_mutex_unlock(&k.b); return 0; } int main(void) { pthread_create(&t, 0, f, 0); memset(&k, 0, sizeof k); pthread_mutex_lock(&k.b); assert(g <= 1); pthread_mutex_unlock(&k.b); pthread_mutex_lock(&k.a); h = 0; pthread_mutex_unlock(&k.a); }"},
	{"a result of another type", "int f(void) { return -1; } int main(void) { int (*h)(void) = f; assert(h() == -1); }", "int f(void) { return -1; } int main(void) { unsigned (*h)(void) = (unsigned (*)(void))f; assert(h() != 0xffffffffu); }"},
	{"scanned", "#include <stdio.h>\nint main(void) { int x = 1, y; scanf(\"%d\", &y); assert(x == 1); }", "#include <stdio.h>\nint main(void) { int x = 1; scanf(\"%d\", &x); assert(x == 1); }"},
	{"a thread that a constructor creates", "int x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } __attribute__((constructor)) void begin(void) { pthread_create(&t, 0, f, 0); } int main(void) { }",
		"int x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } __attribute__((constructor)) void begin(void) { pthread_create(&t, 0, f, 0); } int main(void) { begin(); }"},
	{"a thread that a function creates which others call back", "int x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } int k(void *d, const char *s, int n, void *o) { return 0; } int main(void) { pthread_create(&t, 0, f, 0); fuse_opt_parse(0, 0, 0, k); }",
		"int x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } int k(void *d, const char *s, int n, void *o) { pthread_create(&t, 0, f, 0); return 0; } int main(void) { fuse_opt_parse(0, 0, 0, k); }"},
	{"what a thread-local variable leads to, in a function that others call back", "_Thread_local int *at; int k(void *d, const char *s, int n, void *o) { ++*at; return 0; } int main(void) { int x = 0, y = 0; at = &y; fuse_opt_parse(0, 0, 0, k); assert(x == 0); int *p = &x; *p = 1; }",
		"_Thread_local int *at; int k(void *d, const char *s, int n, void *o) { ++*at; return 0; } int main(void) { int x = 0, y = 0; at = &x; fuse_opt_parse(0, 0, 0, k); assert(x == 0); int *p = &y; *p = 1; }"},
	{"what a key leads to, in a function that others call back", "pthread_key_t key; int k(void *d, const char *s, int n, void *o) { int *p = pthread_getspecific(key); ++*p; return 0; } int main(void) { int x = 0, y = 0; pthread_key_create(&key, 0); pthread_setspecific(key, &y); fuse_opt_parse(0, 0, 0, k); assert(x == 0); int *p = &x; *p = 1; }",
		"pthread_key_t key; int k(void *d, const char *s, int n, void *o) { int *p = pthread_getspecific(key); ++*p; return 0; } int main(void) { int x = 0, y = 0; pthread_key_create(&key, 0); pthread_setspecific(key, &x); fuse_opt_parse(0, 0, 0, k); assert(x == 0); int *p = &y; *p = 1; }"},
	{"what a thread-local variable leads to, in a handler", "#include <signal.h>\n_Thread_local volatile sig_atomic_t *at; void k(int n) { if (at) *at = 5; } int main(void) { volatile sig_atomic_t x = 1, y = 1; at = &y; signal(SIGALRM, k); alarm(1); assert(x == 1); volatile sig_atomic_t *p = &x; *p = 2; }",
		"#include <signal.h>\n_Thread_local volatile sig_atomic_t *at; void k(int n) { if (at) *at = 5; } int main(void) { volatile sig_atomic_t x = 1, y = 1; at = &x; signal(SIGALRM, k); alarm(1); assert(x == 1); volatile sig_atomic_t *p = &y; *p = 2; }"},
	{"a thread that is created again", "#include <setjmp.h>\nint x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); }",
		"#include <setjmp.h>\njmp_buf b; int x; void *f(void *a) { L; x = 0; U; L; x = x + 1; assert(x == 1); U; return 0; } int main(void) { setjmp(b); pthread_create(&t, 0, f, 0); if (__VERIFIER_nondet_int()) longjmp(b, 1); }"},
	{"variable arguments", "#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int); va_end(a); return n; } int main(void) { assert(f(1, 2) == 1); }",
		"#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int); va_end(a); return x; } int main(void) { assert(f(1, 2) == 1); }"},
}

// TestPairs has assertions confirmed and not.
func TestPairs(t *testing.T) {
	for _, p := range allPairs() {
		for i, src := range []string{p.confirmed, p.open} {
			name, want := p.name, i == 0
			s, err := analysed(t.Context(), decls+src)
			if err != nil {
				t.Errorf("%s (%d): %v", name, i, err)
				continue
			}
			r, err := s.check(t.Context())
			all, proved := err == nil, true
			for _, a := range s.found.Assertions() {
				all = all && r.Confirmed[a.Instr]
				proved = proved && a.Proved
			}
			if proved != want {
				t.Errorf("%s (%d): proved by the analysis", name, i)
			}
			if all != want {
				t.Errorf("%s (%d): confirmed %v, want %v (%v)", name, i, all, want, err)
				if r != nil {
					t.Log(r.Open, r.Refused, len(s.found.Assertions()))
				}
			}
		}
	}
}

// allPairs returns the pairs, with those about strings.
func allPairs() []struct{ name, confirmed, open string } {
	all := slices.Clone(pairs)
	for _, p := range randstr.Pairs {
		all = append(all, struct{ name, confirmed, open string }{p.Name, p.Proved, p.Open})
	}
	return all
}
