package accesses_test

import "strings"

// filled are programs in which objects are filled before others know them, or are not.
var filled = []twin{
	{"given to a thread",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s; pthread_t t; s.p = &x; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`,
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s; pthread_t t; pthread_create(&t, NULL, f, &s); s.p = &x; pthread_join(t, NULL); return 0; }`},
	{"elements given to threads",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 0; i < 4; i++) { s[i].p = &x; pthread_create(&t[i], NULL, f, &s[i]); } for (int i = 0; i < 4; i++) pthread_join(t[i], NULL); return 0; }`,
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 0; i < 3; i++) { s[i].p = &x; pthread_create(&t[i], NULL, f, &s[i + 1]); } for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); return 0; }`},
	{"the number changes before the thread", "",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; int i = 0; s[i].p = &x; i++; pthread_create(&t[0], NULL, f, &s[i]); pthread_join(t[0], NULL); return 0; }`},
	{"the next element",
		"",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s[1].p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 0; i < 3; i++) { s[i].p = &x; pthread_create(&t[i], NULL, f, &s[i]); } for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); return 0; }`},
	{"the element before", "",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s[-1].p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 1; i < 3; i++) { s[i].p = &x; pthread_create(&t[i], NULL, f, &s[i]); } for (int i = 1; i < 3; i++) pthread_join(t[i], NULL); return 0; }`},
	{"all before",
		`int x; int main(void) { int *a[8]; int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 8) return 1; for (int i = 0; i < n; i++) a[i] = &x; for (int k = 0; k < n; k++) r += *a[k]; return r; }`,
		`int x; int main(void) { int *a[8]; int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 7) return 1; for (int i = 0; i < n; i++) a[i] = &x; for (int k = 0; k <= n; k++) r += *a[k]; return r; }`},
	{"all but the first", "",
		`int x; int main(void) { int *a[8]; int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 8) return 1; for (int i = 1; i < n; i++) a[i] = &x; for (int k = 0; k < n; k++) r += *a[k]; return r; }`},
	{"each second", "",
		`int x; int main(void) { int *a[8]; int r = 0; for (int i = 0; i < 8; i++) { a[i] = &x; i++; } for (int k = 0; k < 8; k++) r += *a[k]; return r; }`},
	{"not in each turn", "",
		`int x; int main(void) { int *a[8]; int r = 0; for (int i = 0; i < 8; i++) { if (__VERIFIER_nondet_int()) a[i] = &x; } for (int k = 0; k < 8; k++) r += *a[k]; return r; }`},
	{"the loop is left", "",
		`int x; int main(void) { int *a[8]; int r = 0; for (int i = 0; i < 8; i++) { if (__VERIFIER_nondet_int()) break; a[i] = &x; } for (int k = 0; k < 8; k++) r += *a[k]; return r; }`},
	{"the bound changes", "",
		`int x; int main(void) { int *a[8]; int n = 3, r = 0; for (int i = 0; i < n; i++) a[i] = &x; n = 8; for (int k = 0; k < n; k++) r += *a[k]; return r; }`},
	{"the number changes after the test", "",
		`int x; int main(void) { int *a[8]; int n = 3, r = 0; for (int i = 0; i < n; i++) a[i] = &x; for (int k = 0; k < n; ) { k++; r += *a[k]; } return r; }`},
	{"an array that begins anew", "",
		`int x; int main(void) { int r = 0, n = 4; for (int t = 0; t < 2; t++) { int *a[4]; if (t == 0) for (int i = 0; i < n; i++) a[i] = &x; for (int k = 0; k < n; k++) r += *a[k]; } return r; }`},
	{"filled by a callee",
		`struct s { int *p, *q; }; int x; static void init(struct s *s) { s->p = &x; s->q = &x; } int main(void) { struct s s; init(&s); return *s.p + *s.q; }`,
		`struct s { int *p, *q; }; int x; static void init(struct s *s) { s->p = &x; if (__VERIFIER_nondet_int()) s->q = &x; } int main(void) { struct s s; init(&s); return *s.p + *s.q; }`},
	{"filled by a callee that returns early", "",
		`struct s { int *p, *q; }; int x; static int init(struct s *s) { s->p = &x; if (__VERIFIER_nondet_int()) return 1; s->q = &x; return 0; } int main(void) { struct s s; init(&s); return *s.p + *s.q; }`},
	{"zeros that count", "",
		`struct s { int *p; }; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { struct s *s = a; pthread_mutex_lock(&m); *s->p = 1; pthread_mutex_unlock(&m); return NULL; }
		 int main(void) { struct s s; pthread_t t; memset(&s, 0, sizeof s); s.p = &x; pthread_create(&t, NULL, f, &s); pthread_mutex_lock(&m); memset(&s, 0, sizeof s); pthread_mutex_unlock(&m);
		 pthread_mutex_lock(&m); s.p = &x; pthread_mutex_unlock(&m); pthread_join(t, NULL); return 0; }`},
	{"zeros first",
		`struct s { int *p; }; int x; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
		 int main(void) { struct s s; pthread_t t; memset(&s, 0, sizeof s); s.p = &x; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`,
		`struct s { int *p; }; int x; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
		 int main(void) { struct s s; pthread_t t; s.p = &x; memset(&s, 0, sizeof s); pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"zeros of a callee's callee, which others call", "",
		`struct s { int *p; }; int x; static void b(struct s *s) { s->p = NULL; } static void a(struct s *s) { b(s); } void *f(void *v) { struct s *s = v; a(s); *s->p = 1; return NULL; }
		 int main(void) { struct s s; pthread_t t; a(&s); s.p = &x; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"zeros of a callee that reads them", "",
		`struct s { int *p; }; int x; static void f(struct s *s) { s->p = NULL; *s->p = 1; } int main(void) { struct s s; s.p = &x; f(&s); return 0; }`},
	{"zeros of a callee that the caller reads", "",
		`struct s { int *p; }; int x; static void f(struct s *s) { s->p = NULL; } int main(void) { struct s s; s.p = &x; f(&s); *s.p = 1; return 0; }`},
	{"zeros of a callee, after which others know it", "",
		`struct s { int *p; } *g; int x; static void f(struct s *s) { s->p = NULL; g = s; } int main(void) { struct s s; s.p = &x; f(&s); *g->p = 1; return 0; }`},
	{"zeros of a callee, of a variable", "",
		`struct s { int *p; } s; int x; static void f(void) { s.p = NULL; *s.p = 1; } int main(void) { s.p = &x; f(); return 0; }`},
	{"its own address, copied out of it", "",
		`struct l { struct l *next; }; struct s { struct l l; int *p; }; int x; int main(void) { struct s *q = malloc(sizeof *q); if (!q) return 1; q->l.next = &q->l; struct l c = q->l; struct s *o = (struct s *)c.next; *o->p = 1; q->p = &x; return 0; }`},
	{"its own address, copied out of a local", "",
		`struct s { struct s *self; int *p; }; int x; int main(void) { struct s s; s.self = &s; struct s *c[1]; memcpy(c, &s, sizeof c); *c[0]->p = 1; s.p = &x; return 0; }`},
	{"its own address, exchanged", "",
		`struct s { struct s *self; int *p; }; int x; int main(void) { struct s s; s.self = &s; struct s *o = __atomic_exchange_n(&s.self, (struct s *)0, __ATOMIC_SEQ_CST); *o->p = 1; s.p = &x; return 0; }`},
	{"its own address, compared and exchanged", "",
		`struct s { struct s *self; int *p; }; int x; int main(void) { struct s s; s.self = &s; struct s *o = NULL; __atomic_compare_exchange_n(&s.self, &o, (struct s *)0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); if (o) *o->p = 1; s.p = &x; return 0; }`},
	{"overwritten by what a function returns", "",
		`struct s { int *p; } s, z; int x; static struct s none(void) { return z; } int main(void) { s.p = &x; s = none(); *s.p = 1; return 0; }`},
	{"a local that is overwritten by what a function returns", "",
		`struct s { int *p; }; int x; static struct s none(void) { struct s z; z.p = NULL; return z; } int main(void) { struct s s; s.p = &x; s = none(); *s.p = 1; return 0; }`},
	{"zeros of a callee that is called again", "",
		`struct s { int *p; }; int x; static void init(struct s *s) { s->p = NULL; } void *f(void *a) { struct s *s = a; init(s); *s->p = 1; return NULL; }
		 int main(void) { struct s s; pthread_t t; init(&s); s.p = &x; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"an object that holds its own address", "",
		`struct s { struct s *self; int *p; }; int x; int main(void) { struct s s; s.self = &s; if (*s.self->p) return 1; s.p = &x; return 0; }`},
	{"a global that is set first",
		`static int *g; int x; void *f(void *a) { *g = 1; return NULL; } int main(void) { pthread_t t; g = &x; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return 0; }`,
		`static int *g; int x; void *f(void *a) { *g = 1; return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); g = &x; pthread_join(t, NULL); return 0; }`},
	{"a global whose address is in another one",
		`static int *g; static int **h; int x; int main(void) { g = &x; h = &g; return **h; }`,
		`static int *g; static int **h = &g; int x; int main(void) { int r = **h; g = &x; return r; }`},
	{"a string whose address is in a global", "",
		`static char a[4] = {'a', 'b', 'c', 'd'}; static char *h = a; int main(void) { puts(h); snprintf(a, sizeof a, "x"); puts(a); return 0; }`},
	{"a global that a callee reads", "",
		`static int *g; int x; static void use(void) { *g = 1; } int main(void) { use(); g = &x; use(); return 0; }`},
	{"a thread of a callee", "",
		`static int *g; int x; void *f(void *a) { *g = 1; return NULL; } static void start(pthread_t *t) { pthread_create(t, NULL, f, NULL); } int main(void) { pthread_t t; start(&t); g = &x; pthread_join(t, NULL); return 0; }`},
	{"an element by a pointer",
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; for (int i = 0; i < 4; i++) { struct s *q = &s[i]; q->p = &x; pthread_create(&t[i], NULL, f, q); } for (int i = 0; i < 4; i++) pthread_join(t[i], NULL); return 0; }`,
		`struct s { int *p; int r; }; int x; void *f(void *a) { struct s *s = a; s->r = *s->p; return NULL; }
		 int main(void) { struct s s[4]; pthread_t t[4]; struct s *q = &s[3]; for (int i = 0; i < 4; i++) { if (i > 0) q = &s[i]; q->p = &x; pthread_create(&t[i], NULL, f, &s[i]); } for (int i = 0; i < 4; i++) pthread_join(t[i], NULL); return 0; }`},
	{"an element leads to another one", "",
		`struct s { int *p; struct s *next; }; int x; void *f(void *a) { struct s *s = a; int r = *s->p; struct s *q = s->next; r += *q->p; return r ? a : NULL; }
		 int main(void) { struct s *s = malloc(4 * sizeof *s); if (!s) return 1; for (int i = 0; i < 4; i++) { pthread_t t; s[i].p = &x; s[i].next = &s[3]; pthread_create(&t, NULL, f, &s[i]); pthread_join(t, NULL); } return 0; }`},
	{"an object that holds its own address, which memset has returned", "",
		`struct h { int a, b; }; struct s { struct h h; int *x; struct s *self; int n; }; static struct s *known; static int val = 3; static int peek(struct s *q) { return *q->x; }
		 int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 1; p->self = memset(p, 0, sizeof p->h); p->n = 2; p->x = NULL; struct s *g = p->self; int r = 0;
		 if (__VERIFIER_nondet_int() == 77) r = peek(g); p->x = &val; known = p; r += peek(g) + known->n; return r; }`},
	{"a copy of a struct",
		`struct s { int *p; int r; }; int x; int main(void) { struct s a, b; a.p = &x; b = a; return *b.p; }`,
		`struct s { int *p; int r; }; int x; int main(void) { struct s a, b; a.r = 1; b = a; return *b.p; }`},
	{"an element of an array of a number",
		`struct s { int *p; long r; }; int x; static struct s *g; static void set(struct s *q) { g = q; } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 1;
		 struct s *s = malloc(n * sizeof *s); if (!s) return 1; int i = 0; s[i].p = &x; set(&s[i]); return *g->p; }`,
		`struct s { int *p; long r; }; int x; static struct s *g; static void set(struct s *q) { g = q; } int main(void) { int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 9) return 1;
		 struct s *s = malloc(n * sizeof *s); if (!s) return 1; int i = 0; s[i].p = &x; set(&s[i]); for (int k = 0; k < n; k++) r += *g[k].p; return r; }`},
	{"null behind a test of another load", "",
		`int *g; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { pthread_mutex_lock(&m); g = NULL; pthread_mutex_unlock(&m); return NULL; }
		 int main(void) { pthread_t t; g = &x; pthread_create(&t, NULL, f, NULL); pthread_mutex_lock(&m); int ok = g != NULL; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); if (ok) *g = 1; pthread_mutex_unlock(&m); return 0; }`},
	{"null behind a test of an earlier turn", "",
		`int x; static int *next(int i) { return i == 1 ? NULL : &x; } int main(void) { int *p = NULL; for (int i = 0; i < 3; i++) { p = next(i); if (i == 0 && p == NULL) return 1; *p = 1; } return 0; }`},
}

// twice are programs that load a pointer again which was not null.
var twice = []twin{
	{"loaded twice",
		`struct s { int *p; } s; int x; static void use(struct s *q) { if (q->p) *q->p = 1; } int main(void) { if (__VERIFIER_nondet_int()) s.p = &x; use(&s); return 0; }`,
		`struct s { int *p; } s; int x; static void use(struct s *q) { if (!q->p) *q->p = 1; } int main(void) { if (__VERIFIER_nondet_int()) s.p = &x; use(&s); return 0; }`},
	{"written in between", "",
		`struct s { int *p; } s; int x; static void use(struct s *q, struct s *r) { if (q->p) { r->p = NULL; *q->p = 1; } } int main(void) { s.p = &x; use(&s, &s); return 0; }`},
	{"written by a callee", "",
		`struct s { int *p; } s; int x; static void clear(void) { s.p = NULL; } static void use(struct s *q) { if (q->p) { clear(); *q->p = 1; } } int main(void) { s.p = &x; use(&s); return 0; }`},
	{"of another object", "",
		`struct s { int *p; } s, r; int x; static void use(struct s *q) { if (q->p) { q = &r; *q->p = 1; } } int main(void) { s.p = &x; use(&s); return 0; }`},
	{"read by a callee",
		`struct s { int *p; } s; int x; static int get(struct s *q) { return *q->p; } static int use(struct s *q) { if (q->p && get(q)) return *q->p; return 0; } int main(void) { if (__VERIFIER_nondet_int()) s.p = &x; return use(&s); }`, ""},
	{"the lock is given back in between", "",
		`struct s { int *p; } s; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { pthread_mutex_lock(&m); s.p = NULL; pthread_mutex_unlock(&m); return NULL; }
		 static void use(struct s *q) { pthread_mutex_lock(&m); if (q->p) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); *q->p = 1; } pthread_mutex_unlock(&m); }
		 int main(void) { pthread_t t; s.p = &x; pthread_create(&t, NULL, f, NULL); use(&s); return 0; }`},
	{"an atomic flag in between", "",
		`#include <stdatomic.h>
		 struct s { int *p; } s; int x; atomic_int go, done; void *f(void *a) { while (!go) ; s.p = NULL; done = 1; return NULL; }
		 static void use(struct s *q) { if (q->p) { go = 1; while (!done) ; *q->p = 1; } }
		 int main(void) { pthread_t t; s.p = &x; pthread_create(&t, NULL, f, NULL); use(&s); return 0; }`},
	{"not on all ways", "",
		`struct s { int *p; } s; int x; static void use(struct s *q) { if (__VERIFIER_nondet_int() || q->p) *q->p = 1; } int main(void) { use(&s); return x; }`},
}

// shared are programs in which objects go from one thread to another one.
var shared = []twin{
	{"queue",
		queue(`free(j);`, ``, ``),
		queue(`free(j); sum += j->v;`, ``, ``)},
	{"queue: freed twice", "", queue(`free(j); free(j);`, ``, ``)},
	{"queue: freed by who puts it", "", queue(`free(j);`, `free(j);`, ``)},
	{"queue: used by who has put it", "", queue(`free(j);`, `j->v = 3;`, ``)},
	{"queue: freed where it still is", "", strings.Replace(queue(`free(j);`, ``, ``), `head = j->next;`, `if (j->v != 3) head = j->next;`, 1)},
	{"queue: freed by main when alone, and used", "", queue(`free(j);`, ``, `struct job *k = malloc(sizeof *k); if (!k) return 1; k->v = 1; free(k); sum += k->v;`)},
	{"queue: with a condition of each job", waiting(`free(j);`), waiting(`free(j); pthread_mutex_lock(&m); pthread_cond_wait(&j->c, &m); pthread_mutex_unlock(&m);`)},
	{"queue: with a time in a job that was freed", "",
		waiting(`free(j); pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &j->t); pthread_mutex_unlock(&m);`)},
	{"queue: main takes what is left", queue(`free(j);`, ``, `struct job *k; while ((k = head)) { head = k->next; free(k); }`),
		queue(`free(j);`, ``, `for (struct job *k = head; k; k = k->next) free(k);`)},
}

// waiting is such a program, with a condition in each job.
func waiting(worker string) string {
	text := strings.Replace(queue(worker, ``, ``), `int v; }`, `int v; pthread_cond_t c; struct timespec t; }`, 1)
	return "#include <time.h>\n" + strings.Replace(text, `malloc(sizeof *j)`, `calloc(1, sizeof *j)`, 1)
}

// queue is a program with a stack of jobs under a lock: what the worker does with one, what main does with one that it has put there, and what it does at the end.
func queue(worker, put, end string) string {
	return `struct job { struct job *next; int v; };
static struct job *head; static int closed, sum; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *work(void *a) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !closed) pthread_cond_wait(&c, &m);
    struct job *j = head;
    if (j) head = j->next;
    pthread_mutex_unlock(&m);
    if (!j) return NULL;
    ` + worker + `
  }
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 5; i++) {
    struct job *j = malloc(sizeof *j);
    if (!j) return 1;
    j->v = i;
    pthread_mutex_lock(&m); j->next = head; head = j; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    ` + put + `
  }
  pthread_mutex_lock(&m); closed = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  ` + end + `
  return 0;
}
`
}
