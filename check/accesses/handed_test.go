package accesses_test

import "strings"

// handed are programs in which threads get objects that they free.
var handed = []twin{
	{"handed to a thread", hand(``, ``, ``), hand(``, ``, `j->v = 2;`)},
	{"handed to a thread: freed by both", "", hand(``, ``, `free(j);`)},
	{"handed to a thread: used by it when freed", "", hand(``, `j->v++;`, ``)},
	{"handed to a thread: freed twice by it", "", hand(``, `free(j);`, ``)},
	{"handed to a thread: freed before", "", hand(`free(j);`, ``, ``)},
	{"handed to a thread: kept in a variable", "", strings.Replace(hand(`last = j;`, ``, ``), `return 0;`, `if (last) last->v = 1; return 0;`, 1)},
	{"handed to a thread: kept in a local", "", strings.Replace(strings.Replace(hand(``, ``, `q = j;`), `return 0;`, `if (q) q->v = 1; return 0;`, 1), `pthread_t t[3];`, `pthread_t t[3]; struct job *q = NULL;`, 1)},
	{"handed to a thread: the one before is used", "", strings.Replace(hand(`if (q) q->v = 1; q = j;`, ``, ``), `pthread_t t[3];`, `pthread_t t[3]; struct job *q = NULL;`, 1)},
	{"handed to a thread: used by a callee of it", strings.Replace(hand(``, ``, ``), `n += j->v;`, `n += look(j);`, 1), strings.Replace(hand(``, `n += look(j);`, ``), `n += j->v;`, ``, 1)},
	{"handed to a thread: freed by a callee of it", strings.Replace(hand(``, ``, ``), `free(j); /*`, `drop(j); /*`, 1), strings.Replace(hand(``, `free(j);`, ``), `free(j); /*`, `drop(j); /*`, 1)},
	{"handed to a thread: freed by a callee of its maker", "", hand(`drop(j);`, ``, ``)},
	{"handed to a thread: freed if there is none", hand(``, ``, `if (rc != 0) free(j);`), hand(``, ``, `if (rc == 0) free(j);`)},
	{"handed to a thread: freed twice if there is none", strings.Replace(hand(``, ``, mayFail+`if (rc != 0) free(j);`), `pthread_t t[3]`, `static pthread_t t[3]`, 1), hand(``, ``, mayFail+`if (rc != 0) free(j); if (rc != 0) free(j);`)},
	{"handed to a thread: its id is not written", "", hand(``, ``, mayFail+`if (rc != 0) free(j);`)},
	{"handed to a thread: freed by a callee twice if there is none", "", hand(``, ``, mayFail+`if (rc != 0) drop(j); if (rc != 0) drop(j);`)},
	{"handed to a thread: freed if there was none before", "", hand(``, ``, `if (rc == 0) { rc = __VERIFIER_nondet_int(); if (rc != 0) free(j); }`)},
	{"handed to two threads", "", hand(``, ``, `pthread_create(&t[i], NULL, work, j);`)},
	{"handed to a thread: another one finds it", "", strings.Replace(hand(``, ``, ``), `int n = 0;`, `int n = 0; last = a;`, 1)},
	{"handed to a thread that hands it on",
		strings.Replace(hand(``, ``, ``), `free(j); /*`, `pthread_t u; pthread_create(&u, NULL, next, j); /*`, 1),
		strings.Replace(hand(``, ``, ``), `free(j); /*`, `pthread_t u; pthread_create(&u, NULL, next, j); free(j); /*`, 1)},
	{"handed to a thread, whose id is in it", "", strings.Replace(strings.Replace(hand(``, ``, ``), `&t[i]`, `&j->t`, 1), `pthread_join(t[i], NULL)`, `sleep(1)`, 1)},
	{"freed by who made it", each + `static void each(int k) { int *v = malloc(8); if (!v) abort(); v[k % 2] = k; free(v); }`, each + `static void each(int k) { int *v = malloc(8); if (!v) abort(); free(v); v[k % 2] = k; }`},
	{"freed by who made it: in a loop", "", each + `static void each(int k) { int *v = malloc(8); if (!v) abort(); for (int i = 0; i < k; i++) { v[0] = i; free(v); } }`},
	{"freed by who made it: the one before, by a local", "", each + `static void each(int k) { int *v = NULL, *q = NULL; for (int i = 0; i < k; i++) { q = v; v = malloc(8); if (!v) abort(); if (q) q[0] = 1; free(v); } }`},
	{"freed by who made it: twice, by another local", "", each + `static void each(int k) { int *v = malloc(8), *q = v; if (!v) abort(); free(v); if (k > 1) free(q); }`},
	{"freed by who made it: by a callee, maybe", "", each + `static void drop(int *p, int k) { if (k > 2) free(p); } static void each(int k) { int *v = malloc(8); if (!v) abort(); drop(v, k); v[1] = 2; }`},
	{"freed by who made it: by a pointer to the local", "", each + `static void each(int k) { int *v = malloc(8); int **pp = &v; if (!v) abort(); free(*pp); v[0] = k; }`},
	{"freed by who made it: and kept in a variable", "", each + `static int *last; static void each(int k) { int *v = malloc(8); if (!v) abort(); if (k == 2) last = v; v[0] = k; free(v); if (last) last[0] = 1; }`},
	{"freed by who made it: the next element kept", "", each + `static void each(int k) { int *v = malloc(8); if (!v) abort(); int *e = v + 1; free(v); *e = k; }`},
	{"freed by who made it: an element kept", "", each + `static void each(int k) { int *v = malloc(8); if (!v) abort(); int *e = v + k % 2; free(v); *e = k; }`},
	{"freed by who made it: in a struct", "", each + `struct s { int *p; }; static void each(int k) { struct s s; s.p = malloc(8); if (!s.p) abort(); free(s.p); *s.p = k; }`},
	{"freed by who made it: and returned by a callee", "", each + `static int *id(int *p) { return p; } static void each(int k) { int *v = malloc(8); if (!v) abort(); int *q = id(v); free(v); *q = k; }`},
	{"freed by who made it: or another one", "", each + `static void each(int k) { int *v = malloc(8), *w = malloc(8); if (!v || !w) abort(); int *q = k > 2 ? v : w; free(v); *q = 1; free(w); }`},
	{"freed by who made it: by its maker while a thread has it", "", each + `static void *f(void *a) { int *v = a; v[0] = 1; return NULL; } static void each(int k) { pthread_t t; int *v = malloc(8); if (!v) abort(); int rc = pthread_create(&t, NULL, f, v); free(v); (void)rc; (void)k; }`},
}

// hand is such a program: what the maker does before, what the thread does at the end, and what the maker does then.
func hand(before, end, after string) string {
	return `#include <unistd.h>
struct job { int v; pthread_t t; }; static struct job *last; static int sum; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int look(struct job *j) { return j->v; } static void drop(struct job *j) { j->v = 0; free(j); }
static void *next(void *a) { struct job *k = a; k->v = 0; free(k); return NULL; }
static void *work(void *a) { struct job *j = a; int n = 0; n += j->v; free(j); /* */ ` + end + ` pthread_mutex_lock(&m); sum += n; pthread_mutex_unlock(&m); return NULL; }
int main(void) { pthread_t t[3]; int n = 0; for (int i = 0; i < 3; i++) { struct job *j = malloc(sizeof *j); if (!j) return 1; j->v = i; ` + before + ` int rc = pthread_create(&t[i], NULL, work, j); ` + after + ` n += rc; }
for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); return 0; }`
}

// each is the beginning of a program that calls a function again and again.
const each = `static void each(int k); int main(void) { for (int k = 1; k < 5; k++) each(k); return 0; } `
