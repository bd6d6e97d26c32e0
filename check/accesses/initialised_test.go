package accesses_test

import "strings"

// written are programs that read locals and memory that malloc returns after they have written them, or before.
var written = []twin{
	{"a scalar of one branch", `int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2; return x; }`, `int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; return x; }`},
	{"a scalar, where the other branch ends the program",
		`static void die(void) { exit(1); } int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else die(); return x; }`,
		`static void die(void) { if (__VERIFIER_nondet_int()) exit(1); } int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else die(); return x; }`},
	{"a scalar of a loop", `int main(void) { int x, n = __VERIFIER_nondet_int(), i = 0; do x = i; while (++i < n); return x; }`, `int main(void) { int x, n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) x = i; return x; }`},
	{"a scalar of each turn", `int main(void) { int r = 0; for (int i = 0; i < 3; i++) { int x; x = i; r += x; } return r; }`, `int main(void) { int r = 0; for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 7; r += x; } return r; }`},
	{"a scalar by goto", `int main(void) { if (__VERIFIER_nondet_int()) goto out; int x; out: x = 1; return x; }`, `int main(void) { if (__VERIFIER_nondet_int()) goto out; int x = 1; out: return x; }`},
	{"a scalar of a switch",
		`int main(void) { int x; switch (__VERIFIER_nondet_int()) { case 1: x = 1; break; case 2: x = 5; break; default: x = 0; } return x; }`,
		`int main(void) { int x; switch (__VERIFIER_nondet_int()) { case 1: x = 1; break; case 2: x = 5; break; } return x; }`},
	{"a scalar, by a callee",
		`static int get(int *p) { int ok = __VERIFIER_nondet_int(); *p = ok ? 1 : 0; return ok; } int main(void) { int x; get(&x); return x; }`,
		`static int get(int *p) { int ok = __VERIFIER_nondet_int(); if (ok) *p = 1; return ok; } int main(void) { int x; get(&x); return x; }`},
	{"a scalar whose address is known before", "",
		`static int *g; static int get(void) { return *g; } int main(void) { int x; g = &x; int r = get(); x = 1; return r + x; }`},
	{"a floating-point number", `int main(void) { double d; if (__VERIFIER_nondet_int()) d = 1; else d = 2; double *p = &d; return *p > 1; }`, `int main(void) { double d; if (__VERIFIER_nondet_int()) d = 1; double *p = &d; return *p > 1; }`},
	{"an atomic number",
		`#include <stdatomic.h>
		int main(void) { atomic_int n; atomic_init(&n, 0); return atomic_fetch_add(&n, 1); }`,
		`#include <stdatomic.h>
		int main(void) { atomic_int n; return atomic_fetch_add(&n, 1); }`},
	{"compare and exchange",
		`#include <stdatomic.h>
		int main(void) { atomic_int n; atomic_init(&n, 0); int old = 0; return atomic_compare_exchange_strong(&n, &old, 1); }`,
		`#include <stdatomic.h>
		int main(void) { atomic_int n; int old = 0; return atomic_compare_exchange_strong(&n, &old, 1); }`},
	{"a member", `struct s { int a, b; }; int main(void) { struct s s; s.a = 1; s.b = 2; return s.a + s.b; }`, `struct s { int a, b; }; int main(void) { struct s s; s.a = 1; return s.a + s.b; }`},
	{"a bit-field", `struct s { int a : 3, b : 4; }; int main(void) { struct s s = {1, 2}; s.a = 1; return s.a + s.b; }`, `struct s { int a : 3, b : 4; }; int main(void) { struct s s; s.a = 1; return s.a + s.b; }`},
	{"bytes of a number", `int main(void) { int x = 5; unsigned char *p = (unsigned char *)&x; return p[0] + p[3]; }`, `int main(void) { int x; unsigned char *p = (unsigned char *)&x; p[0] = 1; p[1] = 2; p[2] = 3; return x; }`},
	{"a wider number", "", `int main(void) { int a[4]; a[0] = 1; return *(long *)a > 5; }`},
	{"elements with constant numbers", `int main(void) { int a[3]; a[0] = 1; a[1] = 2; a[2] = 3; return a[0] + a[2]; }`, `int main(void) { int a[3]; a[0] = 1; a[2] = 3; return a[0] + a[1]; }`},
	{"elements with constant numbers: any of them",
		`int main(void) { int a[3] = {1, 2, 3}, i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 1; return a[i]; }`,
		`int main(void) { int a[3], i = __VERIFIER_nondet_int(); a[0] = a[1] = 1; if (i < 0 || i > 2) return 1; return a[i]; }`},
	{"elements of a loop", elements(`i < n`, `i < n`, `a[i]`), elements(`i < n - 1`, `i < n`, `a[i]`)},
	{"elements of a loop: of fewer", elements(`i < 8`, `i < 5`, `a[i]`), elements(`i < 5`, `i < 8`, `a[i]`)},
	{"elements of a loop: the one before", elements(`i < n`, `i < n`, `a[n - 1]`), elements(`i < n - 1`, `i < n`, `a[n - 1]`)},
	{"elements of a loop: the next one", "", strings.Replace(elements(`i < n`, `i < n - 1`, `a[i + 1]`), `n > 8`, `n > 7`, 1)},
	{"elements of a loop: the next one, by a pointer", "", `int main(void) { int a[4], s = 0; for (int i = 0; i < 3; i++) { int *q = &a[i]; *q = 1; s += q[1]; } return s; }`},
	{"elements of a loop: the last one, by a pointer", "", `int main(void) { int a[4], s = 0; for (int i = 3; i > 0; i--) { int *q = &a[i]; *q = 1; s += q[-1]; } return s; }`},
	{"elements of a loop: from the end",
		`int main(void) { int a[8], k = 0, s = 0; for (; k < 8; k++) { if (__VERIFIER_nondet_int()) break; a[k] = k; } while (k > 0) s += a[--k]; return s; }`,
		`int main(void) { int a[8], k = 0, s = 0; for (; k < 8; k++) { if (__VERIFIER_nondet_int()) break; a[k] = k; } while (k >= 0 && k < 8) s += a[k--]; return s; }`},
	{"elements of a loop: an unsigned number that goes round", "",
		`int main(void) { int a[8], s = 0; unsigned k = 0; for (; k < 8; k++) { if (__VERIFIER_nondet_int()) break; a[k] = k; } k--; for (unsigned i = 0; i < k && i < 8; i++) s += a[i]; return s; }`},
	{"elements of a loop that is left", "", `int main(void) { int a[8], s = 0; for (int i = 0; i < 8; i++) { if (__VERIFIER_nondet_int()) break; a[i] = i; } for (int i = 0; i < 8; i++) s += a[i]; return s; }`},
	{"malloc", `struct s { int a, b; }; int main(void) { struct s *s = malloc(sizeof *s); if (!s) return 1; s->a = 1; s->b = 2; return s->a + s->b; }`,
		`struct s { int a, b; }; int main(void) { struct s *s = malloc(sizeof *s); if (!s) return 1; s->a = 1; return s->a + s->b; }`},
	{"malloc, by a constructor",
		`struct s { int a, b; }; static struct s *make(int a) { struct s *s = malloc(sizeof *s); if (!s) return NULL; s->a = a; s->b = 0; return s; } int main(void) { struct s *s = make(3); if (!s) return 1; return s->a + s->b; }`,
		`struct s { int a, b; }; static struct s *make(int a) { struct s *s = malloc(sizeof *s); if (!s) return NULL; s->a = a; return s; } int main(void) { struct s *s = make(3); if (!s) return 1; return s->a + s->b; }`},
	{"malloc and calloc", `int main(void) { int *p = calloc(4, sizeof *p); if (!p) return 1; return p[2]; }`, `int main(void) { int *p = malloc(4 * sizeof *p); if (!p) return 1; return p[2]; }`},
	{"malloc and memset", `int main(void) { int *p = malloc(4 * sizeof *p); if (!p) return 1; memset(p, 0, 4 * sizeof *p); return p[2]; }`, `int main(void) { int *p = malloc(4 * sizeof *p); if (!p) return 1; memset(p, 0, 4); return p[2]; }`},
	{"malloc again", "", `int main(void) { int r = 0, *p; for (int i = 0; i < 2; i++) { p = malloc(sizeof *p); if (!p) return 1; if (i == 0) *p = 1; r += *p; } return r; }`},
	{"realloc: the new part", "", `int main(void) { int *p = malloc(4), *q; if (!p) return 1; *p = 1; q = realloc(p, 8); if (!q) return 1; return q[0] + q[1]; }`},
	{"read by a thread", thread(`s[i].n = i; s[i].m = 2;`), thread(`s[i].n = i;`)},
	{"read by a thread: written later", "", strings.Replace(thread(`s[i].n = i;`), `/* */`, `s[i].m = 2;`, 1)},
	{"read by a thread: struct by struct", thread(`s[i] = (struct s){i, 2};`), thread(`struct s q; q.n = i; s[i] = q;`)},
	{"ids of threads", `static void *f(void *a) { return a; } int main(void) { pthread_t t[2]; pthread_create(&t[0], NULL, f, NULL); pthread_create(&t[1], NULL, f, NULL); pthread_join(t[0], NULL); pthread_join(t[1], NULL); return 0; }`,
		`static void *f(void *a) { return a; } int main(void) { pthread_t t[2]; pthread_create(&t[0], NULL, f, NULL); pthread_join(t[0], NULL); pthread_join(t[1], NULL); return 0; }`},
	{"the result of a thread", `static void *f(void *a) { return a; } int main(void) { pthread_t t; void *r; pthread_create(&t, NULL, f, NULL); pthread_join(t, &r); return r != NULL; }`,
		`static void *f(void *a) { return a; } int main(void) { pthread_t t; void *r; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return r != NULL; }`},
	{"the result of a thread that may be joined by itself", "",
		`static void *f(void *a) { void *r; pthread_join(pthread_self(), &r); return r; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); sleep(1); return 0; }`},
	{"printf of a number", `int main(void) { int x[2]; x[1] = 1; printf("%d", x[1]); return 0; }`, `int main(void) { int x[2]; x[0] = 1; printf("%d", x[1]); return 0; }`},
	{"printf of a string", `int main(void) { char a[9]; snprintf(a, sizeof a, "x"); printf("%s", a); return 0; }`, `int main(void) { char a[9]; printf("%s", a); return 0; }`},
	{"a character behind the string", "", `int main(void) { char a[9]; snprintf(a, sizeof a, "x"); return a[5]; }`},
	{"a copy", `struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; s.b = 2; memcpy(&t, &s, sizeof t); return t.a + t.b; }`, `struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t.b = 3; memcpy(&t, &s, sizeof t); return t.a + t.b; }`},
	{"a copy of what nobody reads", `struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t = s; return t.a; }`, `struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t = s; return t.b; }`},
	{"a copy to a variable", `struct s { int a, b; } g; int main(void) { struct s s; s.a = 1; s.b = 2; g = s; return g.b; }`, `struct s { int a, b; } g; int main(void) { struct s s; s.a = 1; g = s; return g.b; }`},
	{"a copy of a copy", "", `struct s { int a, b; } g, h; int main(void) { struct s s; s.a = 1; h = s; g = h; return g.b; }`},
	{"a copy to what calloc allocates", "", `struct s { int a, b; }; int main(void) { struct s s, *p = calloc(1, sizeof *p); if (!p) return 1; s.a = 1; memmove(p, &s, sizeof s); return p->b; }`},
	{"a copy of a part", "", `struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; s.b = 2; memcpy(&t, &s, 4); return t.b; }`},
	{"memcmp", `int a[2], b[2]; int main(void) { return memcmp(a, b, sizeof a); }`, `int b[2]; int main(void) { int a[2]; a[0] = 1; return memcmp(a, b, sizeof a); }`},
	{"a time",
		`#include <time.h>
		int main(void) { struct timespec t; t.tv_sec = 0; t.tv_nsec = 5; nanosleep(&t, NULL); return 0; }`,
		`#include <time.h>
		int main(void) { struct timespec t; t.tv_nsec = 5; nanosleep(&t, NULL); return 0; }`},
	{"the clock",
		`#include <time.h>
		int main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_nsec > 5; }`,
		`#include <time.h>
		int main(void) { struct timespec t; clock_gettime(__VERIFIER_nondet_int(), &t); return t.tv_nsec > 5; }`},
	{"the time",
		`#include <time.h>
		int main(void) { time_t t; time(&t); return t > 5; }`,
		`#include <time.h>
		int main(void) { time_t t; time(NULL); return (&t)[0] > 5; }`},
	{"a function without a value",
		`static int f(int x) { if (x) return 1; } int main(void) { f(__VERIFIER_nondet_int()); return 0; }`,
		`static int f(int x) { if (x) return 1; } int main(void) { return f(__VERIFIER_nondet_int()); }`},
	{"a thread without a value",
		`static void *f(void *a) { } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return 0; }`,
		`static void *f(void *a) { } int main(void) { pthread_t t; void *r; pthread_create(&t, NULL, f, NULL); pthread_join(t, &r); return r != NULL; }`},
	{"known before it is written, in another turn", "",
		`struct s { int x, y; }; static struct s *g; int main(void) { int r = 0; for (int i = 0; i < 2; i++) { struct s *s = malloc(sizeof *s); if (!s) return 1; if (i == 0) s->y = 3; g = s; r += s->y; } return r; }`},
	{"known before it is written, the one before", "",
		`struct s { int x, y; }; static struct s *old; int main(void) { int r = 0; for (int i = 0; i < 2; i++) { struct s *s = malloc(sizeof *s); if (!s) return 1; struct s *t = old ? old : s; old = s; r += t->y; s->y = 3; } return r; }`},
	{"of each activation", "", `static int f(int n) { int x; int *p = &x; if (n > 0) { *p = n; return f(n - 1); } return *p; } int main(void) { return f(2); }`},
}

// elements is a program that fills elements of an array, and reads some.
func elements(fill, read, element string) string {
	return `int main(void) { int a[8], n = __VERIFIER_nondet_int(), s = 0; if (n < 1 || n > 8) return 1; for (int i = 0; ` + fill + `; i++) a[i] = i; for (int i = 0; ` + read + `; i++) s += ` + element + `; return s; }`
}

// thread is a program whose threads read structs that it fills.
func thread(fill string) string {
	return `struct s { int n, m; }; static int sum; static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *a) { struct s *s = a; pthread_mutex_lock(&lock); sum += s->n + s->m; pthread_mutex_unlock(&lock); return NULL; }
int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 0; i < 4; i++) { ` + fill + ` pthread_create(&t[i], NULL, f, &s[i]); /* */ } for (int i = 0; i < 4; i++) pthread_join(t[i], NULL); return 0; }`
}
