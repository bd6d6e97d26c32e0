package accesses_test

import "strings"

// tested are programs in which a pointer that may be null is put into an object first, and tested there.
var tested = []twin{
	{"member tested where it is",
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); if (s.p == NULL) return 1; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`,
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); if (s.p != NULL) return 1; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"member tested before another one is put there", "",
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); if (s.p == NULL) return 1; s.p = maybe(); pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"member used where it is not tested", "",
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); *s.p = 2; if (s.p == NULL) return 1; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"member used where it is null", "",
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); if (s.p == NULL) return *s.p; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"member tested when others know it", "",
		maybe + `struct s { int *p; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } int main(void) { struct s s; pthread_t t; s.p = maybe(); pthread_create(&t, NULL, f, &s); if (s.p == NULL) return 1; pthread_join(t, NULL); return 0; }`},
	{"member that becomes null later", "",
		maybe + `struct s { int *p; pthread_mutex_t m; }; void *f(void *a) { struct s *s = a; pthread_mutex_lock(&s->m); *s->p = 1; pthread_mutex_unlock(&s->m); return NULL; } int main(void) { struct s s; pthread_t t; pthread_mutex_init(&s.m, NULL); s.p = maybe(); if (s.p == NULL) return 1;
		 pthread_create(&t, NULL, f, &s); pthread_mutex_lock(&s.m); s.p = maybe(); pthread_mutex_unlock(&s.m); pthread_join(t, NULL); return 0; }`},
	{"member of an allocated object",
		maybe + `struct s { int *p; }; struct s *make(void) { struct s *s = malloc(sizeof *s); if (!s) return NULL; s->p = maybe(); if (!s->p) return NULL; return s; } int main(void) { struct s *s = make(); if (!s) return 1; *s->p = 1; return 0; }`,
		maybe + `struct s { int *p; }; struct s *make(void) { struct s *s = malloc(sizeof *s); if (!s) return NULL; s->p = maybe(); if (!s->p) return s; return s; } int main(void) { struct s *s = make(); if (!s) return 1; *s->p = 1; return 0; }`},
	{"member of another object", "",
		maybe + `struct s { int *p; }; struct s *make(struct s *o) { struct s *s = malloc(sizeof *s); if (!s) return NULL; s->p = maybe(); if (o && !o->p) return NULL; return s; } int main(void) { struct s *o = make(NULL); if (!o) return 1; struct s *s = make(o); if (!s) return 1; *s->p = 1; return 0; }`},
	{"element tested in another loop",
		maybe + `int main(void) { int *a[8]; int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 8) return 1; for (int i = 0; i < n; i++) a[i] = maybe(); for (int i = 0; i < n; i++) { if (a[i] == NULL) continue; *a[i] = 1; } return r; }`,
		maybe + `int main(void) { int *a[8]; int n = __VERIFIER_nondet_int(), r = 0; if (n < 1 || n > 8) return 1; for (int i = 0; i < n; i++) a[i] = maybe(); for (int i = 0; i < n; i++) { if (a[i] == NULL) i++; *a[i % 8] = 1; } return r; }`},
	{"element tested, and the next one used", "",
		maybe + `int main(void) { int *a[9]; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 8) return 1; for (int i = 0; i < 9; i++) a[i] = maybe(); for (int i = 0; i < n; i++) { if (a[i] == NULL) continue; *a[i + 1] = 1; } return 0; }`},
	{"element tested, and the number changes", "",
		maybe + `int main(void) { int *a[9]; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 8) return 1; for (int i = 0; i < 9; i++) a[i] = maybe(); for (int i = 0; i < n; ) { if (a[i] == NULL) return 1; i++; *a[i] = 1; } return 0; }`},
	{"emptied by a callee", "",
		maybe + `int x; struct s { int *p; int n; }; static void reset(struct s *s) { s->p = NULL; } void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
int main(void) { struct s s; pthread_t t; s.p = &x; reset(&s); pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"a callee puts another one there", "",
		maybe + `int x; struct s { int *p; int n; }; static void reset(struct s *s) { s->p = maybe(); } void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
int main(void) { struct s s; pthread_t t; s.p = &x; reset(&s); pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"filled with zeros by a callee", "",
		maybe + `int x; struct s { int *p; int n; }; static void reset(struct s *s) { memset(s, 0, sizeof *s); } void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
int main(void) { struct s s; pthread_t t; s.p = &x; reset(&s); pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"a callee puts another one into the element", "",
		maybe + `int x; struct s { int *p; int n; }; static void again(int **a, int k) { a[k] = maybe(); }
int main(void) { int *a[4]; for (int i = 0; i < 4; i++) a[i] = maybe(); for (int i = 0; i < 4; i++) { if (!a[i]) continue; again(a, i); *a[i] = 1; } return 0; }`},
	{"another loop puts others there", "",
		maybe + `int x; struct s { int *p; int n; }; int main(void) { int *a[4]; for (int i = 0; i < 4; i++) a[i] = maybe(); for (int i = 0; i < 4; i++) { int k = i; if (!a[i]) continue; for (int j = 0; j < 4; j++) a[j] = maybe(); *a[i] = 1; } return 0; }`},
	{"emptied by a callee that starts the thread", "",
		maybe + `int x; struct s { int *p; int n; }; static pthread_t t; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; } static void go(struct s *s) { s->p = NULL; pthread_create(&t, NULL, f, s); s->p = &x; }
int main(void) { struct s s; s.p = &x; go(&s); pthread_join(t, NULL); return 0; }`},
	{"a callee empties a variable that it uses", "",
		maybe + `int x; struct s { int *p; int n; }; static int *g; static void use(void) { *g = 1; } static void both(void) { g = NULL; use(); g = &x; } int main(void) { g = &x; both(); return 0; }`},
	{"a callee puts another one into a variable", "",
		maybe + `int x; struct s { int *p; int n; }; static int *g; static void zero(void) { g = maybe(); } int main(void) { g = &x; zero(); *g = 1; return 0; }`},
	{"a callee puts another one into a variable that was tested", "",
		maybe + `int x; struct s { int *p; int n; }; static int *g; static void zero(void) { g = maybe(); } static void use(void) { *g = 1; } int main(void) { g = maybe(); if (!g) return 1; zero(); use(); return 0; }`},
	{"tested by an earlier load", "",
		maybe + `int x; struct s { int *p; int n; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
int main(void) { struct s s; pthread_t t; s.p = maybe(); int *q = s.p; s.p = maybe(); if (q == NULL) return 1; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"a struct with null is copied there", "",
		maybe + `int x; struct s { int *p; int n; }; void *f(void *a) { struct s *s = a; *s->p = 1; return NULL; }
int main(void) { struct s s; pthread_t t; s.p = maybe(); struct s r; r.p = NULL; if (s.p == NULL) return 1; s = r; pthread_create(&t, NULL, f, &s); pthread_join(t, NULL); return 0; }`},
	{"a local that holds another object's address", "",
		`struct s { int *p; int v; }; int x; int main(void) { struct s *q = NULL; for (int i = 0; i < 3; i++) { struct s *s = malloc(sizeof *s); if (!s) return 1; if (q) { q->p = &x; *s->p = 1; } else s->p = &x; q = s; } return 0; }`},
}

const maybe = `static int cell; static int *maybe(void) { return __VERIFIER_nondet_int() ? &cell : NULL; } `

// counting are programs with objects that count their references.
var counting = []twin{
	{"references: atomic", atomicRefs(``, ``, ``), atomicRefs(``, `o->v = 3;`, ``)},
	{"references: one too few", "", strings.Replace(atomicRefs(``, ``, ``), `atomic_fetch_add(&o->refs, 1);`, ``, 1)},
	{"references: one too many dropped", "", atomicRefs(`put(o);`, ``, ``)},
	{"references: freed by the wrong one", "", strings.Replace(atomicRefs(``, ``, ``), `== 1) free(o)`, `== 2) free(o)`, 1)},
	{"references: freed twice", "", strings.Replace(atomicRefs(``, ``, ``), `== 1) free(o)`, `== 1) { free(o); free(o); }`, 1)},
	{"references: used when freed", "", strings.Replace(atomicRefs(``, ``, ``), `== 1) free(o)`, `== 1) { free(o); o->v = 1; }`, 1)},
	{"references: read by main at the end", "", atomicRefs(``, ``, `sum = g->v;`)},
	{"references: read by main at the end, by a local", "", atomicRefs(``, ``, `sum = o->v;`)},
	{"references: main holds one until the end",
		strings.Replace(atomicRefs(``, ``, ``), `put(o); pthread_join`, `pthread_join`, 1) + ` `, ""},
	{"references: with a name", namedRefs(`free(o->name); free(o);`, ``), namedRefs(`free(o); free(o->name);`, ``)},
	{"references: name freed by who shares", "", namedRefs(`free(o);`, `free(o->name);`)},
	{"references: name used when freed", "", namedRefs(`free(o->name); puts(o->name); free(o);`, ``)},
	{"references: name kept", "", strings.Replace(namedRefs(`free(o->name); free(o);`, ``), `n += strlen(o->name); put(o);`, `char *k = o->name; put(o); n += strlen(k);`, 1)},
	{"references: name found and kept", "", strings.Replace(namedRefs(`free(o->name); free(o);`, ``), `n += strlen(o->name); put(o);`, `char *k = strchr(o->name, 'b'); put(o); n += strlen(k);`, 1)},
	{"references: name freed early, object kept", "", strings.Replace(namedRefs(`free(o);`, ``), `put(o); pthread_join`, `free(o->name); put(o); pthread_join`, 1)},
	{"references: name freed before others get the object", "", strings.Replace(namedRefs(`free(o);`, ``), `for (int i = 0; i < 2; i++) { atomic`, `free(o->name); for (int i = 0; i < 2; i++) { atomic`, 1)},
	{"references: own lock", lockedRefs(`int last = --o->refs == 0; pthread_mutex_unlock(&o->m); if (last) free(o);`), lockedRefs(`int last = --o->refs == 0; if (last) free(o); pthread_mutex_unlock(&o->m);`)},
	{"references: own lock, read later", "", lockedRefs(`--o->refs; pthread_mutex_unlock(&o->m); if (o->refs == 0) free(o);`)},
	{"references: own lock, taken again", "", lockedRefs(`int last = --o->refs == 0; pthread_mutex_unlock(&o->m); if (last) free(o); else { pthread_mutex_lock(&o->m); pthread_mutex_unlock(&o->m); }`)},
	{"references: slot", slotRefs(`pthread_mutex_lock(&m); o = slot; atomic_fetch_add(&o->refs, 1); pthread_mutex_unlock(&m);`), slotRefs(`pthread_mutex_lock(&m); o = slot; pthread_mutex_unlock(&m); atomic_fetch_add(&o->refs, 1);`)},
	{"references: slot that main reads at the end", strings.Replace(slotRefs(`pthread_mutex_lock(&m); o = slot; atomic_fetch_add(&o->refs, 1); pthread_mutex_unlock(&m);`), `put(slot);`, `sum = slot->v; put(slot);`, 1),
		strings.Replace(slotRefs(`pthread_mutex_lock(&m); o = slot; atomic_fetch_add(&o->refs, 1); pthread_mutex_unlock(&m);`), `put(slot);`, `put(slot); sum = slot->v;`, 1)},
}

// atomicRefs is a program in which threads share an object: what each does before it drops its reference, what it does then, and what main does at the end.
func atomicRefs(before, after, end string) string {
	return `#include <stdatomic.h>
struct o { atomic_int refs; int v; }; static struct o *g; static int sum; static void put(struct o *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) free(o); }
static void *work(void *a) { struct o *o = a; if (o->v != 7) abort(); ` + before + ` put(o); ` + after + ` return NULL; }
int main(void) { pthread_t t[2]; struct o *o = malloc(sizeof *o); if (!o) return 1; atomic_init(&o->refs, 1); o->v = 7; g = o;
for (int i = 0; i < 2; i++) { atomic_fetch_add(&o->refs, 1); if (pthread_create(&t[i], NULL, work, o) != 0) abort(); }
put(o); pthread_join(t[0], NULL); pthread_join(t[1], NULL); ` + end + ` return 0; }`
}

// namedRefs is such a program with a string in the object: what the last one does, and what others do.
func namedRefs(last, other string) string {
	return `#include <stdatomic.h>
struct o { atomic_int refs; char *name; }; static void put(struct o *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { ` + last + ` } else { ` + other + ` } }
static void *work(void *a) { struct o *o = a; unsigned long n = 0; n += strlen(o->name); put(o); return NULL; }
int main(void) { pthread_t t[2]; struct o *o = malloc(sizeof *o); if (!o) return 1; atomic_init(&o->refs, 1); o->name = strdup("abc"); if (!o->name) return 1;
for (int i = 0; i < 2; i++) { atomic_fetch_add(&o->refs, 1); if (pthread_create(&t[i], NULL, work, o) != 0) abort(); }
put(o); pthread_join(t[0], NULL); pthread_join(t[1], NULL); return 0; }`
}

// lockedRefs is such a program with a counter under a lock in the object: how a reference is dropped.
func lockedRefs(drop string) string {
	return `struct o { pthread_mutex_t m; int refs; int v; }; static void put(struct o *o) { pthread_mutex_lock(&o->m); ` + drop + ` }
static void *work(void *a) { struct o *o = a; pthread_mutex_lock(&o->m); o->v++; pthread_mutex_unlock(&o->m); put(o); return NULL; }
int main(void) { pthread_t t; struct o *o = calloc(1, sizeof *o); if (!o) return 1; pthread_mutex_init(&o->m, NULL); o->refs = 2; if (pthread_create(&t, NULL, work, o) != 0) abort(); put(o); pthread_join(t, NULL); return 0; }`
}

// slotRefs is a program in which threads find an object in a variable under a lock: how they do.
func slotRefs(get string) string {
	return `#include <stdatomic.h>
struct o { atomic_int refs; int v; }; static struct o *slot; static int sum; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static void put(struct o *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) free(o); }
static struct o *make(int v) { struct o *o = malloc(sizeof *o); if (!o) abort(); atomic_init(&o->refs, 1); o->v = v; return o; }
static void *reader(void *a) { for (int i = 0; i < 3; i++) { struct o *o; ` + get + ` if (o->v < 0) abort(); put(o); } return NULL; }
static void *writer(void *a) { for (int i = 0; i < 3; i++) { struct o *n = make(i), *old; pthread_mutex_lock(&m); old = slot; slot = n; pthread_mutex_unlock(&m); put(old); } return NULL; }
int main(void) { pthread_t r, w; slot = make(7); pthread_create(&r, NULL, reader, NULL); pthread_create(&w, NULL, writer, NULL); pthread_join(r, NULL); pthread_join(w, NULL); put(slot); return 0; }`
}
