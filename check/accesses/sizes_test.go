package accesses_test

import "strings"

// sized are programs with arrays whose sizes and indices are products, sums and quotients of numbers that the program gets.
var sized = []twin{
	{"square", square(`m[i * n + j]`, ``), square(`m[i * n + j + 1]`, ``)},
	{"square: row by row as a pointer", square(`(m + i * n)[j]`, ``), square(`(m + i * n + n)[j]`, ``)},
	{"square: columns first", square(`m[j * n + i]`, ``), square(`m[(j + 1) * n + i]`, ``)},
	{"square: from the end", square(`m[n * n - 1 - (i * n + j)]`, ``), square(`m[n * n - (i * n + j)]`, ``)},
	{"square: the number changes", "", square(`m[i * n + j]`, `n++;`)},
	{"square: the number is another one", "", strings.Replace(square(`m[i * n + j]`, ``), `fill(m, n)`, `fill(m, n + 1)`, 1)},
	{"square: up to the number", "", strings.Replace(square(`m[i * n + j]`, ``), `i < n; i++`, `i <= n; i++`, 1)},
	{"square: of a number that is too large", "", strings.ReplaceAll(strings.ReplaceAll(square(`m[(long)i * n + j]`, ``), `n > 100`, `n > 2000000000`), `(size_t)n * (size_t)n`, `(unsigned)n * (unsigned)n`)},
	{"square: bytes in 32 bits", "", strings.ReplaceAll(strings.ReplaceAll(square(`m[(long)i * n + j]`, ``), `n > 100`, `n > 50000`), `malloc((size_t)n * (size_t)n * sizeof(long))`, `malloc((unsigned)n * (unsigned)n * 8u)`)},
	{"square: negative rows", "", strings.Replace(square(`m[i * n + j]`, ``), `for (int i = 0`, `for (int i = -1`, 1)},
	{"square: no rows, the first element", "", strings.Replace(strings.Replace(square(`m[i * n + j]`, ``), `n < 1`, `n < 0`, 1), `free(m)`, `m[0] = 1; free(m)`, 1)},
	{"square of calloc", strings.Replace(square(`m[i * n + j]`, ``), `malloc((size_t)n * (size_t)n * sizeof(long))`, `calloc((size_t)n * n, sizeof(long))`, 1),
		strings.Replace(square(`m[i * n + j]`, ``), `malloc((size_t)n * (size_t)n * sizeof(long))`, `calloc((size_t)n + n, sizeof(long))`, 1)},
	{"rectangle", rectangle(`r * cols + c`), rectangle(`r * rows + c`)},
	{"rectangle: swapped", rectangle(`c * rows + r`), rectangle(`c * cols + r`)},
	{"cube",
		`int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n == 0 || n > 50) return 1; char *a = malloc(n * n * n); if (!a) return 1;
		 for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < n; j++) for (unsigned k = 0; k < n; k++) a[(i * n + j) * n + k] = 1; free(a); return 0; }`,
		`int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n == 0 || n > 5000) return 1; char *a = malloc(n * n * n); if (!a) return 1;
		 for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < n; j++) for (unsigned k = 0; k < n; k++) a[((size_t)i * n + j) * n + k] = 1; free(a); return 0; }`},
	{"a number in a variable",
		`static int n; static int *v; static void set(int i) { if (i >= 0 && i < n) v[i] = 1; } int main(void) { n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 1; v = malloc(n * sizeof *v); if (!v) return 1; set(__VERIFIER_nondet_int()); return 0; }`,
		`static int n; static int *v; static void set(int i) { if (i >= 0 && i < n) v[i] = 1; } int main(void) { n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 1; v = malloc(n * sizeof *v); if (!v) return 1; n = 10; set(__VERIFIER_nondet_int()); return 0; }`},
	{"a number of two calls", "",
		`static int *g; static void f(int n) { int *v = malloc(n * sizeof *v); if (!v) abort(); if (!g) g = v; for (int i = 0; i < n; i++) g[i] = 1; } int main(void) { f(3); f(4); return 0; }`},
	{"a number of a recursive call", "",
		`static int *g; static void f(int n) { if (n > 5) return; int *v = malloc(n * sizeof *v); if (!v) abort(); if (!g) g = v; for (int i = 0; i < n; i++) g[i] = 1; f(n + 1); } int main(void) { f(3); return 0; }`},
	{"a number of a loop", "",
		`int main(void) { int *g = NULL; for (int k = 0; k < 3; k++) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 1; int *v = malloc(n * sizeof *v); if (!v) return 1; if (!g) g = v; for (int i = 0; i < n; i++) g[i] = 1; } return 0; }`},
	{"a number that is set to a default",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; if (n > 50) n = 50; int *v = malloc(n * sizeof *v); if (!v) return 1; for (int i = 0; i < n; i++) v[i] = i; free(v); return 0; }`,
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; int *v = malloc((n % 50) * sizeof *v); if (!v) return 1; if (n > 50) n = 50; for (int i = 0; i < n; i++) v[i] = i; free(v); return 0; }`},
	{"a number that is set between", "",
		`int main(void) { int n = 3; int *v = malloc(n * sizeof *v); if (!v) return 1; if (__VERIFIER_nondet_int()) n = 4; for (int i = 0; i < n; i++) v[i] = i; free(v); return 0; }`},
	{"a remainder",
		`struct s { int n; int *v; }; static int get(struct s *s, unsigned h) { return s->v[h % (unsigned)s->n]; } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; struct s s; s.n = n; s.v = calloc(n, sizeof(int)); if (!s.v) return 1;
		 int r = get(&s, __VERIFIER_nondet_int()); free(s.v); return r; }`,
		`struct s { int n; int *v; }; static int get(struct s *s, unsigned h) { return s->v[h % (unsigned)(s->n + 1)]; } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; struct s s; s.n = n; s.v = calloc(n, sizeof(int)); if (!s.v) return 1;
		 int r = get(&s, __VERIFIER_nondet_int()); free(s.v); return r; }`},
	{"a signed remainder", "",
		`struct s { int n; int *v; }; static int get(struct s *s, int h) { return s->v[h % s->n]; } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; struct s s; s.n = n; s.v = calloc(n, sizeof(int)); if (!s.v) return 1;
		 int r = get(&s, __VERIFIER_nondet_int()); free(s.v); return r; }`},
	{"a half",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc(2 * n * sizeof *v); if (!v) return 1; for (int i = 0; i < n; i++) { v[2 * i] = 1; v[2 * i + 1] = 2; } free(v); return 0; }`,
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc(n / 2 * 2 * sizeof *v); if (!v) return 1; for (int i = 0; i < n; i++) v[i] = 1; free(v); return 0; }`},
	{"an index that is cut off",
		`static int cut(int k, int n) { return k < n ? k : n - 1; } int main(void) { int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); if (n < 1 || n > 64 || k < 0) return 1; int *v = calloc(n, sizeof *v); if (!v) return 1; v[cut(k, n)]++; free(v); return 0; }`,
		`static int cut(int k, int n) { return k < n ? k : n; } int main(void) { int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); if (n < 1 || n > 64 || k < 0) return 1; int *v = calloc(n, sizeof *v); if (!v) return 1; v[cut(k, n)]++; free(v); return 0; }`},
	{"a narrow number", "",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc((unsigned char)n * sizeof *v); if (!v) return 1; for (int i = 0; i < n; i++) v[i] = 1; free(v); return 0; }`},
	{"a narrow index", "",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc(n * sizeof *v); if (!v) return 1; int i = __VERIFIER_nondet_int(); if (i >= 0 && (unsigned char)i < n) v[i] = 1; free(v); return 0; }`},
	{"a number of each call", work(``, `v[i]`), work(``, `v[i + 1]`)},
	{"a number of each call: clamped", work(`if (n > 40) n = 40;`, `v[i]`), strings.Replace(work(``, `v[i]`), `sum += v[n - 1];`, `if (n < 40) n = 40; sum += v[n - 1];`, 1)},
	{"a number of each call: changed later", "", strings.Replace(work(``, `v[i]`), `sum = 0;`, `sum = 0; n += k;`, 1)},
	{"a number of each call: array of an earlier one", "", work(`if (!old) { old = malloc(n * sizeof(int)); if (!old) abort(); }`, `old[i]`)},
	{"a number of each call: array of an earlier one, in a static variable", "", work(`static int *s; if (!s) s = malloc(n * sizeof(int)); if (!s) abort();`, `s[i]`)},
	{"a number of each call: a recursive one", "", work(`old = v; if (n > 5 && k) sum += each(n / 2, 0); else if (old) for (int i = 0; i < n; i++) old[i] = 1; old = v;`, `old[i]`)},
	{"a number of each call: returned", "",
		`static int *mk(int n) { int *v = malloc(n * sizeof *v); if (!v) abort(); return v; } int main(void) { for (int k = 1; k < 9; k++) { int *v = mk(k); for (int i = 0; i <= k; i++) v[i] = 1; free(v); } return 0; }`},
	{"a number of each call: given to others", "",
		`static void fill(int *v, int n) { for (int i = 0; i < n; i++) v[i] = 1; } static void each(int n, int m) { int *v = malloc(n * sizeof *v); if (!v) abort(); fill(v, m); free(v); } int main(void) { for (int k = 1; k < 9; k++) each(k, k + 1); return 0; }`},
	{"a number of each call: the one of the caller", "",
		`static int *h; static void inner(int n) { for (int i = 0; i < n; i++) h[i] = 1; } static void each(int n) { h = malloc(n * sizeof *h); if (!h) abort(); inner(n + 1); } int main(void) { for (int k = 1; k < 9; k++) each(k); return 0; }`},
	{"a number of each turn", "",
		`static void each(int n) { int *p = NULL; for (int k = 1; k < 4; k++) { int m = n * k; int *v = malloc(m * sizeof *v); if (!v) abort(); if (!p) p = v; for (int i = 0; i < m; i++) p[i] = 1; } } int main(void) { for (int k = 1; k < 9; k++) each(k); return 0; }`},
	{"a number of each turn, by goto", "",
		`static void each(int n) { int *p = NULL, k = 1; again:; int m = n * k; int *v = malloc(m * sizeof *v); if (!v) abort(); if (!p) p = v; for (int i = 0; i < m; i++) p[i] = 1; if (k++ < 3) goto again; } int main(void) { for (int k = 1; k < 9; k++) each(k); return 0; }`},
	{"a number of each thread",
		`static void *f(void *a) { int n = *(int *)a % 50 + 1; if (n < 1) return NULL; int *v = malloc(n * sizeof *v); if (!v) return NULL; for (int i = 0; i < n; i++) v[i] = 1; free(v); return NULL; }
		 int main(void) { pthread_t t[3]; int a[3] = {3, 40, 7}; for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, f, &a[i]); for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); return 0; }`,
		`static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int *g; static void *f(void *a) { int n = *(int *)a % 50 + 1; if (n < 1) return NULL; pthread_mutex_lock(&m); if (!g) g = malloc(n * sizeof *g); if (g) for (int i = 0; i < n; i++) g[i] = 1; pthread_mutex_unlock(&m); return NULL; }
		 int main(void) { pthread_t t[3]; int a[3] = {3, 40, 7}; for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, f, &a[i]); for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); return 0; }`},
	{"memset of a product",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc(n * n * sizeof *v); if (!v) return 1; memset(v, 0, sizeof *v * n * n); free(v); return 0; }`,
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = malloc(n * n * sizeof *v); if (!v) return 1; memset(v + 1, 0, sizeof *v * n * n); free(v); return 0; }`},
	{"memcpy of a number",
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = calloc(n, sizeof *v), *w = malloc(n * sizeof *w); if (!v || !w) return 1; memcpy(w, v, n * sizeof *v); free(v); free(w); return 0; }`,
		`int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 1; int *v = calloc(n, sizeof *v), *w = malloc(n + sizeof *w); if (!v || !w) return 1; memcpy(w, v, n * sizeof *v); free(v); free(w); return 0; }`},
	{"blocks of rows", blocks(`i * n / k`, `(i + 1) * n / k`), blocks(`i * n / k`, `(i + 2) * n / k`)},
	{"blocks of rows: rounded up", "", blocks(`i * ((n + k - 1) / k)`, `(i + 1) * ((n + k - 1) / k)`)},
	{"blocks of rows: one too many", "", strings.Replace(blocks(`i * n / k`, `(i + 1) * n / k`), `i < k; i++`, `i <= k; i++`, 1)},
	{"blocks of rows: no threads", "", strings.Replace(blocks(`i * n / k`, `(i + 1) * n`), `k < 1`, `k < 0`, 1)},
	{"rows of a counter", counter(`r = next++;`), counter(`r = ++next;`)},
	{"rows of a counter: taken later", "", counter(`pthread_mutex_unlock(&m); pthread_mutex_lock(&m); r = next++;`)},
	{"rows of a counter: by a callee", "", strings.Replace(counter(`bump(); r = next++;`), `static int take`, `static void bump(void) { next++; } static int take`, 1)},
	{"rows of a counter: not tested", "", strings.Replace(counter(`r = next++;`), `if (next < w->n) `, ``, 1)},
}

// square is a program that fills a matrix, with what is done before.
func square(element, before string) string {
	return `static void fill(long *m, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) ` + element + ` = i; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100) return 1; long *m = malloc((size_t)n * (size_t)n * sizeof(long)); if (!m) return 1; ` + before + ` fill(m, n); free(m); return 0; }`
}

func rectangle(index string) string {
	return `struct t { int rows, cols; double *cell; };
static void fill(struct t *t) { int rows = t->rows, cols = t->cols; for (int r = 0; r < rows; r++) for (int c = 0; c < cols; c++) t->cell[` + index + `] = 1; }
int main(void) { struct t t; int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a < 1 || a > 100 || b < 1 || b > 100) return 1;
t.rows = a; t.cols = b; t.cell = malloc(sizeof(double) * a * b); if (!t.cell) return 1; fill(&t); free(t.cell); return 0; }`
}

// blocks is a program whose threads have ranges of rows.
func blocks(lo, hi string) string {
	return `struct part { int lo, hi, n; float *m; }; static void *work(void *a) { struct part *p = a; for (int r = p->lo; r < p->hi; r++) for (int c = 0; c < p->n; c++) p->m[r * p->n + c] = 1; return NULL; }
int main(void) { int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); if (n < 1 || n > 200 || k < 1 || k > 8) return 1; float *m = malloc(sizeof(float) * n * n); if (!m) return 1;
struct part p[9]; pthread_t t[9]; for (int i = 0; i < k; i++) { p[i].lo = ` + lo + `; p[i].hi = ` + hi + `; p[i].n = n; p[i].m = m; pthread_create(&t[i], NULL, work, &p[i]); }
for (int i = 0; i < k; i++) pthread_join(t[i], NULL); return 0; }`
}

// counter is a program whose threads take rows from a counter.
func counter(take string) string {
	return `struct w { int n; int *sum; }; static int next; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int take(struct w *w) { int r = -1; pthread_mutex_lock(&m); if (next < w->n) ` + "{ " + take + " }" + ` pthread_mutex_unlock(&m); return r; }
static void *work(void *a) { struct w *w = a; int r; while ((r = take(w)) >= 0) w->sum[r] = r; return NULL; }
int main(void) { struct w w; pthread_t t[2]; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 500) return 1; w.n = n; w.sum = calloc(n, sizeof(int)); if (!w.sum) return 1;
for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, &w); for (int i = 0; i < 2; i++) pthread_join(t[i], NULL); free(w.sum); return 0; }`
}

// work is a program with a function that is called with one number after another: what it does before, and which element it sets.
func work(before, element string) string {
	return `static int *old; static int each(int n, int k) { int *v = malloc(n * sizeof *v), sum = 0; if (!v) abort(); ` + before + ` for (int i = 0; i < n; i++) ` + element + ` = i; sum += v[n - 1]; if (v != old) free(v); return sum; }
int main(void) { int r = 0; for (int k = 1; k < 30; k++) r += each(k, k); return r; }`
}
