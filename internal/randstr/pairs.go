// Package randstr has programs about lengths of strings, random ones and pairs that differ by one thing: for who finds such lengths out, and for who verifies them.
package randstr

// Decls begins programs.
const Decls = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
pthread_t t, u;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
#define L pthread_mutex_lock(&m)
#define U pthread_mutex_unlock(&m)
`

// Pairs are programs that differ by one thing only: all assertions hold in the first, by lengths of strings, and one does not in the second.
var Pairs = []struct{ Name, Proved, Open string }{
	{"copy", `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`, `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 2); }`},
	{"of a copy", `char a[8]; int main(void) { char b[9]; strcpy(a, "abc"); strcpy(b, a); assert(strlen(b) == 3); }`,
		`char a[8]; int main(void) { char b[9]; strcpy(a, "abc"); strcpy(b, a); strcpy(a, "x"); assert(strlen(a) == strlen(b)); }`},
	{"fits", `char a[8]; int main(void) { a[0] = __VERIFIER_nondet_int(); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { a[0] = __VERIFIER_nondet_int(); assert(strlen(a) < 1); }`},
	{"cut", `char a[8]; int main(void) { strcpy(a, "abcdef"); a[2] = 0; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "abcdef"); a[2] = __VERIFIER_nondet_int(); assert(strlen(a) == 2); }`},
	{"cut behind", `char a[8]; int main(void) { strcpy(a, "ab"); a[5] = 0; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "ab"); a[1] = 0; assert(strlen(a) == 2); }`},
	{"end overwritten", `char a[8]; int main(void) { strcpy(a, "ab"); a[3] = 'x'; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "ab"); a[2] = 'x'; assert(strlen(a) == 2); }`},
	{"cut somewhere", `char a[9]; int main(void) { strcpy(a, "abcdefgh"); unsigned n = (unsigned)__VERIFIER_nondet_int(); if (n < 4) { a[n] = 0; assert(strlen(a) < 4); } }`,
		`char a[9]; int main(void) { strcpy(a, "abcdefgh"); unsigned n = (unsigned)__VERIFIER_nondet_int(); if (n < 6) { a[n] = 0; assert(strlen(a) < 4); } }`},
	{"appended", `char a[9]; int main(void) { strcpy(a, "ab"); strcat(a, "cde"); assert(strlen(a) == 5); }`, `char a[9]; int main(void) { strcpy(a, "ab"); strcat(a, "cde"); assert(strlen(a) < 5); }`},
	{"part appended", `char a[9]; int main(void) { strcpy(a, "ab"); strncat(a, "cde", 2); assert(strlen(a) == 4); }`, `char a[9]; int main(void) { strcpy(a, "ab"); strncat(a, "cde", 3); assert(strlen(a) == 4); }`},
	{"first characters", `char a[9]; int main(void) { strncpy(a, "abc", 5); assert(strlen(a) == 3); }`, `char a[9] = "xxxxxxxx"; int main(void) { strncpy(a, "abc", 3); assert(strlen(a) == 3); }`},
	{"first characters, all of the array", `char a[4]; int main(void) { strncpy(a, "abcd", 4); a[3] = 0; assert(strlen(a) == 3); }`, `char a[4]; int main(void) { strncpy(a, "abcd", 4); assert(a[3] == 0); }`},
	{"at most", `char a[9]; int main(void) { strcpy(a, "abc"); assert(strnlen(a, 2) <= 2 && strnlen(a, 7) <= 3); }`, `char a[9]; int main(void) { strcpy(a, "abcd"); assert(strnlen(a, 7) <= 3); }`},
	{"at most, of what nobody knows", `int main(int n, char **v) { assert(strnlen(v[0], 3) <= 3); }`, `int main(int n, char **v) { unsigned long k = strnlen(v[0], 3); assert(k == 0 || k == 3); }`},
	{"printed", `char a[9]; int main(void) { snprintf(a, 5, "%d", __VERIFIER_nondet_int()); assert(strlen(a) < 5); }`, `char a[9]; int main(void) { snprintf(a, 6, "%d", __VERIFIER_nondet_int()); assert(strlen(a) < 5); }`},
	{"asked before", `char a[40], b[8]; int main(void) { a[5] = __VERIFIER_nondet_int(); if (strlen(a) < 6) { strcpy(b, a); assert(strlen(b) < 6); } }`,
		`char a[40], b[8]; int main(void) { a[0] = a[1] = a[2] = a[3] = a[4] = 'x'; a[5] = __VERIFIER_nondet_int(); if (strlen(a) < 7) { strcpy(b, a); assert(strlen(b) < 6); } }`},
	{"member", `struct { int n; char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "d"); assert(strlen(s.a) == 3 && strlen(s.b) == 1); }`,
		`struct { int n; char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "d"); assert(strlen(s.b) == 3); }`},
	{"in a function", `char a[8], b[8]; void set(char *d, const char *s) { strcpy(d, s); } int main(void) { set(a, "abc"); assert(strlen(a) == 3); }`,
		`char a[8], b[8]; void set(char *d, const char *s) { strcpy(d + 1, s); } int main(void) { set(a, "abc"); assert(strlen(a) == 3); }`},
	{"in the middle", `char a[8]; int main(void) { strcpy(a, "abcd"); char *p = a; assert(strlen(p) == 4); }`, `char a[8]; int main(void) { strcpy(a, "abcd"); char *p = a; p++; assert(strlen(p) == 4); }`},
	{"one of two", `char a[8], b[8]; int main(void) { strcpy(a, "abc"); strcpy(b, "x"); char *p = a; if (__VERIFIER_nondet_int()) p = b; assert(strlen(p) <= 3); }`,
		`char a[8], b[8]; int main(void) { strcpy(a, "abc"); strcpy(b, "xyzx"); char *p = a; if (__VERIFIER_nondet_int()) p = b; assert(strlen(p) <= 3); }`},
	{"into one of two", `char a[8], b[8]; int main(void) { strcpy(a, "abc"); strcpy(b, "abc"); char *p = a; if (__VERIFIER_nondet_int()) p = b; p[2] = 0; assert(strlen(a) <= 3); }`,
		`char a[8], b[8]; int main(void) { strcpy(a, "abc"); strcpy(b, "abc"); char *p = a; if (__VERIFIER_nondet_int()) p = b; p[2] = 0; assert(strlen(a) == 2); }`},
	{"filled", `char a[8]; int main(void) { strcpy(a, "abc"); memset(a, 0, 3); assert(strlen(a) == 0); }`, `char a[8]; int main(void) { strcpy(a, "abc"); memset(a + 1, 0, 3); assert(strlen(a) == 0); }`},
	{"filled with others", `char a[8]; int main(void) { strcpy(a, "abc"); memset(a, 'x', 3); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { memset(a, 'x', 3); assert(strlen(a) == 0); }`},
	{"struct copied", `struct s { char a[8]; int n; }; int main(void) { struct s x, y; strcpy(x.a, "abc"); y = x; assert(strlen(y.a) == 3); }`,
		`struct s { char a[8]; int n; }; int main(void) { struct s x, y; strcpy(x.a, "abc"); y = x; strcpy(x.a, "a"); assert(strlen(y.a) == strlen(x.a)); }`},
	{"initialised", `int main(void) { char a[8] = "abc"; assert(strlen(a) == 3); }`, `int main(void) { char a[4] = "abcd"; a[3] = __VERIFIER_nondet_int(); assert(strlen(a) == 2); }`},
	{"static", `static char a[8] = "abc"; int main(void) { assert(strlen(a) == 3); }`, `static char a[8] = "abc"; void f(void) { a[1] = 0; } int main(void) { f(); assert(strlen(a) == 3); }`},
	{"indeterminate", `int main(void) { char a[8]; a[0] = 'x'; a[1] = 0; assert(strlen(a) <= 1); }`, `int main(void) { char a[8]; a[1] = 'x'; a[2] = 0; assert(strlen(a) == 2); }`},
	{"elements of an array", `char a[2][8]; int main(void) { strcpy(a[0], "abc"); strcpy(a[1], "x"); assert(strlen(a[0]) < 8); }`,
		`char a[2][8]; int main(void) { strcpy(a[0], "abc"); strcpy(a[1], "x"); assert(strlen(a[0]) == 1); }`},
	{"union", `union { char a[8]; int n; } w; int main(void) { w.n = 0; size_t n = strlen(w.a); assert(n >= 0); }`, `union { char a[8]; int n; } w; int main(void) { strcpy(w.a, "abc"); w.n = 0; assert(strlen(w.a) == 3); }`},
	{"as a number", `char a[8]; int main(void) { strcpy(a, "abc"); *(char *)a = 'x'; assert(strlen(a) == 3); }`, `char a[8]; int main(void) { strcpy(a, "abc"); *(int *)a = 0; assert(strlen(a) == 3); }`},
	{"other threads", `char a[8]; void *f(void *x) { char b[8]; strcpy(b, "abc"); assert(strlen(b) == 3); return 0; } int main(void) { pthread_create(&t, 0, f, 0); strcpy(a, "x"); }`,
		`char a[8]; void *f(void *x) { a[1] = 0; return 0; } int main(void) { strcpy(a, "abc"); pthread_create(&t, 0, f, 0); assert(strlen(a) == 3); }`},
	{"under a lock", `char a[8]; void *f(void *x) { L; strcpy(a, "abc"); assert(strlen(a) == 3); strcpy(a, "x"); U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(strlen(a) <= 1); U; }`,
		`char a[8]; void *f(void *x) { L; strcpy(a, "abc"); U; L; strcpy(a, "x"); U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; assert(strlen(a) <= 1); U; }`},
	{"read", `char a[8]; int main(void) { read(0, a, 7); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { strcpy(a, "abc"); read(0, a, 7); assert(strlen(a) == 3); }`},
	{"line", `char a[8]; int main(void) { fgets(a, 8, stdin); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { strcpy(a, "abc"); fgets(a, 8, stdin); assert(strlen(a) == 3); }`},
	{"scanned", `char a[8]; int main(void) { scanf("%7s", a); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { strcpy(a, "abc"); scanf("%7s", a); assert(strlen(a) == 3); }`},
	{"printed without bound", `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); sprintf(a, "%d", 7); }`, `char a[8]; int main(void) { strcpy(a, "abc"); sprintf(a, "%d", 7); assert(strlen(a) == 3); }`},
	{"written by %n", `struct { char a[8]; int n; } s; int main(void) { char b[9]; strcpy(s.a, "abc"); snprintf(b, 9, "x%n", &s.n); assert(strlen(b) < 9); }`,
		`char a[8]; int main(void) { char b[9]; strcpy(a, "abc"); snprintf(b, 9, "%n", (int *)a); assert(strlen(a) == 3); }`},
	{"an unknown function", `char a[8]; int main(void) { strcpy(a, "abc"); unlink("x"); assert(strlen(a) == 3); }`, `char a[8]; int gethostname(char *, size_t); int main(void) { strcpy(a, "abc"); gethostname(a, 8); assert(strlen(a) == 3); }`},
	{"moved", `char a[8]; int main(void) { strcpy(a, "abc"); char b[8]; memcpy(b, a, 8); assert(strlen(b) == 3); }`, `char a[8]; int main(void) { strcpy(a, "abc"); memmove(a, a + 1, 3); assert(strlen(a) == 3); }`},
	{"swapped by hand", `char a[8]; int main(void) { strcpy(a, "abc"); char c = a[0]; a[0] = a[1]; a[1] = c; assert(strlen(a) < 8); }`, `char a[8]; int main(void) { strcpy(a, "abc"); char c = a[0]; a[0] = a[3]; a[3] = c; assert(strlen(a) == 3); }`},
	{"its parameters", `void f(char *p) { strcpy(p, "ab"); } char a[8], b[8]; int main(void) { f(a); f(b); assert(strlen(a) < 8); }`, `void f(char *p) { strcpy(p, "ab"); } char a[8], b[8]; int main(void) { f(a); f(a + 1); assert(strlen(a) == 2); }`},
	{"what callers give", `char a[8]; void *f(void *p) { return p; } int main(void) { strcpy(a, "abc"); assert(strlen(f(a)) < 8); }`, `char a[8]; unsigned long f(const char *p) { return strlen(p); } int main(int c, char **v) { strcpy(a, "abc"); assert(f(c > 1 ? v[1] : a) == 3); }`},
	{"recursive", `unsigned long f(int n) { char a[8]; strcpy(a, "abc"); return n ? f(n - 1) : strlen(a); } int main(void) { assert(f(3) < 8); }`,
		`unsigned long f(int n, char *p) { char a[8]; strcpy(a, "abc"); if (p) p[0] = 0; if (n) f(n - 1, a); return strlen(a); } int main(void) { assert(f(3, 0) == 3); }`},
	{"a length while others write", `char a[8]; void *f(void *x) { a[2] = 0; a[1] = 'x'; return 0; } int main(void) { pthread_create(&t, 0, f, 0); assert(strlen(a) < 8); }`,
		`char a[8] = "ab"; void *f(void *x) { a[2] = 'x'; a[0] = 0; return 0; } int main(void) { pthread_create(&t, 0, f, 0); assert(strlen(a) <= 2); }`},
	{"of no memory that is known", `int main(void) { char a[4]; a[2] = 0; char *p = a; unsigned long k = strlen(p); assert(k < 4); }`, `int main(void) { char *p = (char *)(long)__VERIFIER_nondet_int(); unsigned long k = strlen(p); assert(k == 3); }`},
	{"printed into nothing", `char a[9]; int main(void) { strcpy(a, "ab"); snprintf(a, 1, "%d", 7); assert(strlen(a) == 0); }`, `char a[9]; int main(void) { strcpy(a, "ab"); snprintf(a, 0, "%d", 7); assert(strlen(a) == 0); }`},
	{"printed into perhaps nothing", `char a[9]; int main(void) { unsigned n = (unsigned)__VERIFIER_nondet_int(); strcpy(a, "abcdefgh"); if (0 < n && n < 5) { snprintf(a, n, "x"); assert(strlen(a) < 4); } }`,
		`char a[9]; int main(void) { unsigned n = (unsigned)__VERIFIER_nondet_int(); strcpy(a, "abcdefgh"); if (n < 5) { snprintf(a, n, "x"); assert(strlen(a) < 4); } }`},
	{"printed wide characters", `char a[9]; int main(void) { strcpy(a, "abcdefgh"); snprintf(a, 5, "%s", "x"); assert(strlen(a) < 5); }`, `char a[9]; int main(int n, char **v) { strcpy(a, "abcdefgh"); snprintf(a, 5, "%ls", (wchar_t *)v[0]); assert(strlen(a) < 5); }`},
	{"changed before there were threads", `char a[8]; void *f(void *x) { L; a[0] = 0; U; return 0; } int main(void) { L; strcpy(a, "abc"); a[1] = 0; pthread_create(&t, 0, f, 0); assert(strlen(a) < 8); U; }`,
		`char a[8]; void *f(void *x) { L; a[0] = 0; U; return 0; } int main(void) { L; strcpy(a, "abc"); a[1] = 0; pthread_create(&t, 0, f, 0); assert(strlen(a) == 3); U; }`},
	{"two of one object", `struct { char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "x"); read(0, &s, 7); assert(strlen(s.b) < 8); }`, `struct { char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "x"); read(0, &s, 16); assert(strlen(s.b) == 1); }`},
	{"filled, two of one object", `struct { char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "xy"); strcpy(s.a, ""); assert(strlen(s.b) == 2); }`, `struct { char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); strcpy(s.b, "xy"); memset(&s, 0, 9); assert(strlen(s.b) == 2); }`},
	{"filled from before it", `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 1, 4); assert(strlen(s.a) == 3); }`, `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 1, __VERIFIER_nondet_int() ? 4 : 8); assert(strlen(s.a) == 3); }`},
	{"filled as far as nobody knows", `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 0, __VERIFIER_nondet_int() & 3); assert(strlen(s.a) == 3); }`, `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 0, (size_t)__VERIFIER_nondet_int()); assert(strlen(s.a) == 3); }`},
	{"zeros that are perhaps none", `char a[8]; int main(void) { strcpy(a, "abc"); memset(a, 0, 1 + (__VERIFIER_nondet_int() & 1)); assert(strlen(a) == 0); }`, `char a[8]; int main(void) { strcpy(a, "abc"); memset(a, 0, __VERIFIER_nondet_int() & 1); assert(strlen(a) == 0); }`},
	{"zeros that end before it", `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 0, 5); assert(strlen(s.a) == 0); }`, `struct { int n; char a[8]; } s; int main(void) { strcpy(s.a, "abc"); memset(&s, 0, __VERIFIER_nondet_int() ? 4 : 5); assert(strlen(s.a) == 0); }`},
	{"written somewhere in an empty one", `char a[8]; int main(void) { unsigned n = (unsigned)__VERIFIER_nondet_int(); if (n < 4) { a[n] = 'x'; assert(strlen(a) < 8); } }`, `char a[8]; int main(void) { a[0] = 0; unsigned n = (unsigned)__VERIFIER_nondet_int(); if (n < 4) { a[n] = 'x'; assert(strlen(a) > 0); } }`},
	{"a part copied", `char a[8], b[8]; int main(void) { strcpy(a, "abcdef"); strcpy(b, "x"); memcpy(a, b, 2); assert(strlen(a) == 1); }`, `char a[8], b[8]; int main(void) { strcpy(a, "abcdef"); strcpy(b, "x"); memcpy(a, b, 1); assert(strlen(a) == 1); }`},
	{"copied to behind its beginning", `char a[8]; int main(void) { strcpy(a, "abcdef"); memcpy(a, "xy", 3); assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "abcdef"); memcpy(a + 1, "xy", 3); assert(strlen(a) == 2); }`},
	{"copied from behind a beginning", `char a[8], b[8]; int main(void) { strcpy(b, "xyz"); memcpy(a, b, 8); assert(strlen(a) == 3); }`, `char a[8], b[9]; int main(void) { strcpy(b, "xyz"); memcpy(a, b + 1, 8); assert(strlen(a) == 3); }`},
	{"copied from one of two", `char a[8], b[8], c[8]; int main(void) { strcpy(b, "xyz"); strcpy(c, "xyz"); char *p = b; if (__VERIFIER_nondet_int()) p = c; memcpy(a, p, 8); assert(strlen(a) == 3); }`,
		`char a[8], b[8], c[8]; int main(void) { strcpy(b, "xyz"); strcpy(c, "x"); char *p = b; if (__VERIFIER_nondet_int()) p = c; memcpy(a, p, 8); assert(strlen(a) == 3); }`},
	{"constant, not ended", `const char k[4] = "abc"; int main(void) { char a[9]; strcpy(a, k); assert(strlen(a) == 3); }`, `extern const char k[4]; int main(void) { char a[9]; strcpy(a, k); assert(strlen(a) == 0); }`},
	{"appended to what nobody knows", `char a[9]; int main(void) { strcpy(a, "ab"); strncat(a, "xyz", (unsigned)__VERIFIER_nondet_int()); assert(strlen(a) >= 2); }`, `char a[9]; int main(int n, char **v) { strcpy(a, "ab"); strcat(a, v[0]); assert(strlen(a) == 2); }`},
	{"a negative index", `char a[8]; int main(void) { strcpy(a, "abc"); int n = __VERIFIER_nondet_int(); char *p = a; if (n == 0) p[n] = 0; assert(strlen(a) <= 3); }`, `struct { char a[8], b[8]; } s; int main(void) { strcpy(s.a, "abc"); int n = __VERIFIER_nondet_int(); char *p = (char *)&s + 8; p[n] = 0; assert(strlen(s.a) == 3); }`},
	{"a string that a thread has of its own", `_Thread_local char a[8]; void *f(void *x) { strcpy(a, "x"); return 0; } int main(void) { strcpy(a, "abc"); pthread_create(&t, 0, f, 0); assert(strlen(a) == 3); }`,
		`_Thread_local char a[8]; void *f(void *x) { strcpy(x, "x"); return 0; } int main(void) { strcpy(a, "abc"); pthread_create(&t, 0, f, a); assert(strlen(a) == 3); }`},
	{"given back in between", `char a[8]; void *f(void *x) { L; a[0] = 0; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; strcpy(a, "abc"); unsigned long k = strlen(a); U; L; assert(k == 3); U; }`,
		`char a[8]; void *f(void *x) { L; a[0] = 0; U; return 0; } int main(void) { pthread_create(&t, 0, f, 0); L; strcpy(a, "abc"); U; L; assert(strlen(a) == 3); U; }`},
	{"its own function", `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`, `char a[8]; size_t strlen(const char *s) { return 4; } int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`},
}
