package values_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stringPairs are programs like pairs, about lengths of strings.
var stringPairs = []struct{ name, proved, open string }{
	{"copy", `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`, `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 2); }`},
	{"of a copy", `char a[8]; int main(void) { char b[9]; strcpy(a, "abc"); strcpy(b, a); assert(strlen(b) == 3); }`,
		`char a[8]; int main(void) { char b[9]; strcpy(a, "abc"); strcpy(b, a); strcpy(a, "x"); assert(strlen(a) == strlen(b)); }`},
	{"fits", `char a[8]; int main(void) { a[0] = __VERIFIER_nondet_int(); assert(strlen(a) < 8); }`, `char a[8]; int main(void) { a[0] = __VERIFIER_nondet_int(); assert(strlen(a) < 1); }`},
	{"cut", `char a[8]; int main(void) { strcpy(a, "abcdef"); a[2] = 0; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "abcdef"); a[2] = __VERIFIER_nondet_int(); assert(strlen(a) == 2); }`},
	{"cut behind", `char a[8]; int main(void) { strcpy(a, "ab"); a[5] = 0; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "ab"); a[1] = 0; assert(strlen(a) == 2); }`},
	{"end overwritten", `char a[8]; int main(void) { strcpy(a, "ab"); a[3] = 'x'; assert(strlen(a) == 2); }`, `char a[8]; int main(void) { strcpy(a, "ab"); a[2] = 'x'; assert(strlen(a) == 2); }`},
	{"cut somewhere", `char a[9]; int main(void) { strcpy(a, "abcdefgh"); unsigned n = __VERIFIER_nondet_uint(); if (n < 4) { a[n] = 0; assert(strlen(a) < 4); } }`,
		`char a[9]; int main(void) { strcpy(a, "abcdefgh"); unsigned n = __VERIFIER_nondet_uint(); if (n < 6) { a[n] = 0; assert(strlen(a) < 4); } }`},
	{"appended", `char a[9]; int main(void) { strcpy(a, "ab"); strcat(a, "cde"); assert(strlen(a) == 5); }`, `char a[9]; int main(void) { strcpy(a, "ab"); strcat(a, "cde"); assert(strlen(a) < 5); }`},
	{"part appended", `char a[9]; int main(void) { strcpy(a, "ab"); strncat(a, "cde", 2); assert(strlen(a) == 4); }`, `char a[9]; int main(void) { strcpy(a, "ab"); strncat(a, "cde", 3); assert(strlen(a) == 4); }`},
	{"first characters", `char a[9]; int main(void) { strncpy(a, "abc", 5); assert(strlen(a) == 3); }`, `char a[9] = "xxxxxxxx"; int main(void) { strncpy(a, "abc", 3); assert(strlen(a) == 3); }`},
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
	{"its own function", `char a[8]; int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`, `char a[8]; size_t strlen(const char *s) { return 4; } int main(void) { strcpy(a, "abc"); assert(strlen(a) == 3); }`},
	{"union", `union { char a[8]; int n; } u; int main(void) { u.n = 0; size_t n = strlen(u.a); assert(n >= 0); }`, `union { char a[8]; int n; } u; int main(void) { strcpy(u.a, "abc"); u.n = 0; assert(strlen(u.a) == 3); }`},
	{"as a number", `char a[8]; int main(void) { strcpy(a, "abc"); *(char *)a = 'x'; assert(strlen(a) == 3); }`, `char a[8]; int main(void) { strcpy(a, "abc"); *(int *)a = 0; assert(strlen(a) == 3); }`},
	{"other threads", `char a[8]; void *f(void *x) { char b[8]; strcpy(b, "abc"); assert(strlen(b) == 3); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); strcpy(a, "x"); }`,
		`char a[8]; void *f(void *x) { a[1] = 0; return 0; } int main(void) { pthread_t t; strcpy(a, "abc"); pthread_create(&t, 0, f, 0); assert(strlen(a) == 3); }`},
	{"under a lock", `pthread_mutex_t m; char a[8]; void *f(void *x) { pthread_mutex_lock(&m); strcpy(a, "abc"); assert(strlen(a) == 3); strcpy(a, "x"); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); assert(strlen(a) <= 1); pthread_mutex_unlock(&m); }`,
		`pthread_mutex_t m; char a[8]; void *f(void *x) { pthread_mutex_lock(&m); strcpy(a, "abc"); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); strcpy(a, "x"); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); assert(strlen(a) <= 1); pthread_mutex_unlock(&m); }`},
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
	{"a length while others write", `char a[8]; void *f(void *x) { a[2] = 0; a[1] = 'x'; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(strlen(a) < 8); }`,
		`char a[8] = "ab"; void *f(void *x) { a[2] = 'x'; a[0] = 0; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(strlen(a) <= 2); }`},
}

// stringy is a program that does something to a few strings, and asks for their lengths.
func stringy(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 77))
	var b strings.Builder
	b.WriteString("#include <string.h>\n#include <stdio.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void);\n")
	b.WriteString("struct s { int n; char a[6]; char z[9]; }; struct s s = {1, \"ab\"}, o; char g[7] = \"hello\", h[5]; pthread_mutex_t m; unsigned long sum;\n")
	b.WriteString("void put(char *d, const char *f) { strcpy(d, f); } unsigned long len(const char *p) { return strlen(p); }\n")
	body := func(local string) {
		names := []string{"g", "h", "s.a", "s.z", "o.a", local}
		sizes := []int{7, 5, 6, 9, 6, 8}
		one := func() (string, int) { i := r.IntN(len(names)); return names[i], sizes[i] }
		text := func(n int) string { return fmt.Sprintf("%q", "abcdefgh"[:r.IntN(n)]) }
		for range 4 + r.IntN(8) {
			d, n := one()
			switch r.IntN(12) {
			case 0:
				fmt.Fprintf(&b, "  strcpy(%s, %s);\n", d, text(n))
			case 1:
				fmt.Fprintf(&b, "  %s[%d] = %s;\n", d, r.IntN(n), []string{"0", "'x'", "__VERIFIER_nondet_char()"}[r.IntN(3)])
			case 2:
				e, _ := one()
				fmt.Fprintf(&b, "  if (strlen(%s) < %d) strcpy(%s, %[1]s);\n", e, n, d)
			case 3:
				fmt.Fprintf(&b, "  if (strlen(%s) < %d) strcat(%[1]s, \"yz\");\n", d, n-2)
			case 4:
				fmt.Fprintf(&b, "  strncpy(%s, %s, %d); %[1]s[%[4]d] = 0;\n", d, text(n), 1+r.IntN(n-1), n-1)
			case 5:
				fmt.Fprintf(&b, "  snprintf(%s, %d, \"%%d\", __VERIFIER_nondet_int());\n", d, 1+r.IntN(n))
			case 6:
				fmt.Fprintf(&b, "  memset(%s, %s, %d); %[1]s[%[4]d] = 0;\n", d, []string{"0", "'x'"}[r.IntN(2)], r.IntN(n), n-1)
			case 7:
				fmt.Fprintf(&b, "  put(%s, %s);\n", d, text(n))
			case 8:
				b.WriteString("  o = s;\n")
			case 9:
				fmt.Fprintf(&b, "  { char *p = __VERIFIER_nondet_int() ? %s : %s; p[%d] = 0; }\n", d, local, r.IntN(5))
			case 10:
				fmt.Fprintf(&b, "  { char *p = %s; if (__VERIFIER_nondet_int()) p++; sum += strlen(p); }\n", d)
			}
			e, n := one()
			fmt.Fprintf(&b, "  %s[%d] = 0; sum += %s(%[1]s);\n", e, n-1, []string{"strlen", "len"}[r.IntN(2)])
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "  sum += strnlen(%s, %d);\n", e, r.IntN(n))
			}
		}
	}
	lock := r.IntN(3) > 0
	b.WriteString("void *work(void *x) {\n  char l[8] = \"abc\";\n")
	if lock {
		b.WriteString("  pthread_mutex_lock(&m);\n")
	}
	body("l")
	if lock {
		b.WriteString("  pthread_mutex_unlock(&m);\n")
	}
	b.WriteString("  return 0;\n}\nint main(void) {\n  char k[8]; k[7] = 0;\n")
	if r.IntN(2) == 0 {
		body("k")
	}
	if r.IntN(3) > 0 {
		b.WriteString("  pthread_t t; pthread_create(&t, 0, work, 0);\n")
	} else {
		b.WriteString("  work(0);\n")
	}
	if lock {
		b.WriteString("  pthread_mutex_lock(&m);\n")
	}
	body("k")
	if lock {
		b.WriteString("  pthread_mutex_unlock(&m);\n")
	}
	b.WriteString("}\n")
	return b.String()
}
