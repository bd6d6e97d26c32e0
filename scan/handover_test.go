package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
	"comus/scan/certificate"
)

const handoverHeader = `#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int v; struct item *next; };
struct msg { pthread_t id, id2; int n; char *text; struct item *list; struct msg *peer; char *spare; struct item in; };
struct msg *last, *two[8]; char *keep; struct item *items; int n = 3; uintptr_t number; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct msg *make(const char *s) {
	struct msg *x = malloc(sizeof *x); if (!x) abort();
	x->n = 0; x->list = 0; x->peer = 0; x->text = malloc(strlen(s) + 1); if (!x->text) abort(); strcpy(x->text, s); return x;
}
static struct item *push(struct item *l, int v) { struct item *x = malloc(sizeof *x); x->v = v; x->next = l; return x; }
static void upper(char *s) { for (; *s; s++) if (*s > 'a') *s -= 32; }
static void drain(struct item *l) { while (l) { struct item *x = l; l->v++; l = l->next; free(x); } }
static void drop(struct msg *x) { drain(x->list); free(x->text); free(x); }
static struct msg *same(struct msg *x) { return x; }
static void *work(void *a) { struct msg *x = a; upper(x->text); x->n = strlen(x->text); return 0; }
static void *reads(void *a) { struct msg *x = a; printf("%s %d\n", x->text, x->n); return 0; }
static void *ends(void *a) { struct msg *x = a; upper(x->text); drop(x); return 0; }
static void *grows(void *a) { struct msg *x = a; for (int i = 0; i < 3; i++) x->list = push(x->list, i); x->spare = strdup(x->text); return 0; }
static void *text(void *a) { upper(a); free(a); return 0; }
static void *sums(void *a) { drain(a); return 0; }
static void *inner(void *a) { struct item *x = a; x->v++; if (x->next) x->next->v++; return 0; }
static void *none(void *a) { return 0; }
static void *passes(void *a) { struct msg *x = a; pthread_t t; pthread_create(&t, 0, ends, x); return 0; }
static void *later(void *a) { struct msg *x = a; pthread_t t; pthread_create(&t, 0, work, x); return 0; }
static void *peers(void *a) { struct msg *x = a; if (x->peer) upper(x->peer->text); return 0; }
static void *keeps(void *a) { struct msg *x = a; pthread_mutex_lock(&m); last = x; pthread_mutex_unlock(&m); upper(x->text); return 0; }
static void *finds(void *a) { pthread_mutex_lock(&m); struct msg *x = last; pthread_mutex_unlock(&m); if (x) upper(x->text); return 0; }
static void send(const char *s) { pthread_t t; struct msg *x = make(s); pthread_create(&t, 0, ends, x); }
static void start(struct msg *x) { pthread_create(&x->id, 0, work, x); }
static void stop(struct msg *x) { pthread_join(x->id, 0); drop(x); }
DECLS
int main(int argc, char **argv) { pthread_t t; struct msg *x, *y, *all[8]; struct item *l = 0; char *s; int i; BODY return 0; }
`

// handed are what a program declares and what main does, and whether it has no data race by what goes from thread to thread.
var handed = []struct {
	name, decls, body string
	free              bool
}{
	{"a string", "", `for (i = 0; i < n; i++) { x = make("a"); pthread_create(&t, 0, ends, x); }`, true},
	{"by a function", "", `send("a"); send("bc"); send(argv[0]);`, true},
	{"by a function in a loop", "", `while (n--) send(argv[n]);`, true},
	{"only the string", "", `while (n--) { s = strdup("abc"); s[0] = n; pthread_create(&t, 0, text, s); }`, true},
	{"a list", "", `for (i = 0; i < n; i++) { l = 0; for (int k = 0; k < i; k++) l = push(l, k); pthread_create(&t, 0, sums, l); }`, true},
	{"a list in an object", "", `while (n--) { x = make("a"); x->list = push(push(0, 1), 2); pthread_create(&t, 0, ends, x); }`, true},
	{"what the thread adds", "", `while (n--) { x = make("a"); pthread_create(&t, 0, grows, x); }`, true},
	{"joined by its id", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); puts(x->text); x->text[0] = 1; free(x->text); free(x); }`, true},
	{"joined by its id, in an array", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 8; i++) { pthread_join(all[i]->id, 0); puts(all[i]->text); free(all[i]->text); free(all[i]); }`, true},
	{"joined in a function", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); start(all[i]); } for (i = 0; i < 8; i++) stop(all[i]);`, true},
	{"joined, with what the thread has added", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, grows, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); drop(x); }`, true},
	{"a global array", "", `for (i = 0; i < 8; i++) { two[i] = make("a"); two[i]->n = 7; pthread_create(&two[i]->id, 0, work, two[i]); } for (i = 0; i < 8; i++) { x = two[i]; pthread_join(x->id, 0); drop(x); }`, true},
	{"passed on by the thread", "", `while (n--) { x = make("a"); pthread_create(&t, 0, passes, x); }`, true},
	{"all are joined at the end", "static pthread_t ts[8];", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&ts[i], 0, work, all[i]); } for (i = 0; i < 8; i++) pthread_join(ts[i], 0); for (i = 0; i < 8; i++) drop(all[i]);`, true},
	{"two that lead to each other", "", `while (n--) { x = make("a"); y = make("b"); x->peer = y; y->peer = x; pthread_create(&t, 0, peers, x); }`, true},
	{"copied before", "", `while (n--) { x = make("a"); y = malloc(sizeof *y); *y = *x; free(x); pthread_create(&t, 0, ends, y); }`, true},
	{"resized", "", `while (n--) { x = make("a"); x->text = realloc(x->text, 99); strcat(x->text, "b"); pthread_create(&t, 0, ends, x); }`, true},
	{"another one is printed", "", `while (n--) { x = make("a"); pthread_create(&t, 0, reads, x); }`, true},
	{"somebody keeps the address", "", `while (n--) { x = make("a"); last = x; pthread_create(&t, 0, ends, x); }`, true},
	{"an error's way", "", `while (n--) { x = make("a"); if (argc == n) { drop(x); return 1; } pthread_create(&t, 0, ends, x); }`, true},

	{"an address of a pointer, filled", "static int fill(struct msg **to) { *to = make(\"a\"); return *to != 0; }", `while (n--) { struct msg *z; if (!fill(&z)) return 1; z->n = 1; pthread_create(&t, 0, ends, z); }`, true},
	{"a list with two ends", "struct list { struct item *first, **end; }; static void add(struct list *l, int v) { struct item *x = malloc(sizeof *x); x->v = v; x->next = 0; *l->end = x; l->end = &x->next; }", `while (n--) { struct list q; q.first = 0; q.end = &q.first; add(&q, 1); add(&q, n); pthread_create(&t, 0, sums, q.first); }`, true},
	{"put together on the stack", "", `while (n--) { struct msg z = {0}; z.text = strdup("a"); x = malloc(sizeof *x); *x = z; pthread_create(&t, 0, ends, x); }`, true},
	{"results", "static pthread_t ts[8]; static void *makes(void *a) { struct msg *x = make(a); upper(x->text); return x; }", `for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); drop(x); }`, true},
	{"results made of what is given", "static pthread_t ts[8]; static void *turns(void *a) { struct msg *x = a; char *s = x->text; upper(s); free(x); return s; }", `for (i = 0; i < 8; i++) { x = make("a"); pthread_create(&ts[i], 0, turns, x); } for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); s = r; upper(s); free(s); }`, true},

	{"a result that is kept", "static pthread_t ts[8]; static void *makes(void *a) { struct msg *x = make(a); pthread_t t; pthread_create(&t, 0, work, x); return x; }", `for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"the result is one for all", "static pthread_t ts[8]; static void *gives(void *a) { pthread_mutex_lock(&m); struct msg *x = last; pthread_mutex_unlock(&m); return x; }", `last = make("a"); pthread_create(&t, 0, finds, 0); for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, gives, 0); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"the result of a destructor's thread", "static pthread_key_t key; static pthread_t ts[8]; static void end(void *a) { pthread_t t; pthread_create(&t, 0, work, a); } static void *makes(void *a) { struct msg *x = make(a); pthread_setspecific(key, x); return x; }", `pthread_key_create(&key, end); for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"a destructor gives away what else there is", "static pthread_key_t key; static pthread_t ts[8]; static void end(void *a) { pthread_t t; struct msg *y = make(\"b\"); pthread_create(&t, 0, finds, y); } static void *makes(void *a) { struct msg *x = make(a); pthread_setspecific(key, x); pthread_mutex_lock(&m); last = x; pthread_mutex_unlock(&m); return x; }", `pthread_key_create(&key, end); for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"a result by pthread_exit that is kept", "static pthread_t ts[8]; static void *makes(void *a) { struct msg *x = make(a); pthread_t t; pthread_create(&t, 0, work, x); pthread_exit(x); }", `for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"a result that is used before", "static pthread_t ts[8]; static void *same2(void *a) { upper(((struct msg *)a)->text); return a; }", `for (i = 0; i < 8; i++) { x = make("a"); pthread_create(&ts[i], 0, same2, x); x->text[0] = 1; } for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"a struct on the stack for two", "", `struct { struct msg *p; } w; w.p = make("a"); while (n--) pthread_create(&t, 0, work, w.p);`, false},
	{"a list on the stack that grows", "struct list { struct item *first; };", `struct list q = {0}; while (n--) { q.first = push(q.first, n); pthread_create(&t, 0, sums, q.first); }`, false},
	{"a list in a block that grows", "struct list { struct item *first; };", `while (n--) { struct list q = {0}; again: q.first = push(q.first, n); pthread_create(&t, 0, sums, q.first); if (argc == n) goto again; }`, false},
	{"a pointer to a pointer on the stack", "", `struct msg *z = make("a"), **at = &z; while (n--) { pthread_create(&t, 0, work, *at); (*at)->text[0] = 1; }`, false},
	{"a struct on the stack that is passed on", "struct box { struct msg *p; }; static void give(struct box *w) { pthread_t t; pthread_create(&t, 0, work, w->p); }", `while (n--) { struct box w; w.p = make("a"); give(&w); w.p->text[0] = 1; }`, false},
	{"another thread writes to the stack", "static struct msg **at; static void *puts_it(void *a) { pthread_mutex_lock(&m); if (at) *at = last; pthread_mutex_unlock(&m); return 0; }", `struct msg *z; last = make("z"); pthread_create(&t, 0, puts_it, 0); pthread_create(&t, 0, finds, 0); pthread_mutex_lock(&m); at = &z; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); z = make("a"); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = z; pthread_mutex_unlock(&m); upper(x->text);`, false},
	{"a thread's stack for two", "static void *both(void *a) { struct msg *x = a, **at = &x; pthread_t t; pthread_create(&t, 0, work, *at); upper((*at)->text); return 0; }", `while (n--) pthread_create(&t, 0, both, make("a"));`, false},
	{"a recursion with the caller's stack", "static void go(struct msg **at, int k) { pthread_t t; struct msg *z = make(\"b\"); if (k) { go(&z, k - 1); z->text[0] = 1; } pthread_create(&t, 0, work, *at); }", `x = make("a"); struct msg *z = x; go(&z, n);`, false},
	{"after the only thread was joined, for two", "", `x = make("a"); y = make("b"); pthread_create(&t, 0, work, x); pthread_join(t, 0); y->peer = x; pthread_create(&t, 0, work, x); pthread_create(&t, 0, peers, y);`, false},
	{"one of two is joined", "static pthread_t u;", `x = make("a"); y = make("b"); pthread_create(&t, 0, work, x); pthread_create(&u, 0, work, y); pthread_join(t, 0); y->text[0] = 1;`, false},
	{"a result in an old variable", "static pthread_t ts[8]; static void *makes(void *a) { return a ? make(a) : 0; }", `void *r = make("z"); pthread_create(&t, 0, work, r); for (i = 0; i < 8; i++) { pthread_create(&ts[i], 0, makes, argv[i]); if (i == n) pthread_join(ts[i], &r); x = r; x->text[0] = 1; }`, false},
	{"a result that was given to another thread by a lock", "static pthread_t ts[8]; static void *makes(void *a) { struct msg *x = make(a); pthread_mutex_lock(&m); last = x; pthread_mutex_unlock(&m); return x; }", `for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, makes, argv[i]); pthread_create(&t, 0, finds, 0); for (i = 0; i < 8; i++) { void *r; pthread_join(ts[i], &r); x = r; upper(x->text); }`, false},
	{"a result by a cast", "static pthread_t ts[8]; static void *gives(void *a) { pthread_mutex_lock(&m); struct msg *x = last; pthread_mutex_unlock(&m); return x; }", `last = make("a"); pthread_create(&t, 0, finds, 0); for (i = 0; i < 8; i++) pthread_create(&ts[i], 0, gives, 0); for (i = 0; i < 8; i++) { pthread_join(ts[i], (void **)&x); upper(x->text); }`, false},
	{"a table of which an element is kept", "static void *table(void *a) { struct msg **at = a; for (int i = 0; i < 3; i++) upper(at[i]->text); return 0; }", `while (n--) { struct msg **at = calloc(3, sizeof *at); for (i = 0; i < 3; i++) at[i] = make("a"); x = at[1]; pthread_create(&t, 0, table, at); x->text[0] = 1; }`, false},
	{"two tables with one element", "static void *table(void *a) { struct msg **at = a; upper(at[0]->text); return 0; }", `x = make("a"); while (n--) { struct msg **at = calloc(3, sizeof *at); at[0] = x; pthread_create(&t, 0, table, at); }`, false},
	{"the thread's function is called, too", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); work(x); }`, false},
	{"a detached thread", "", `while (n--) { x = make("a"); pthread_create(&x->id, 0, work, x); y = x; pthread_detach(t); y->text[0] = 1; }`, false},
	{"the ids in one object", "struct ids { pthread_t id[8]; struct msg *of[8]; };", `struct ids *d = calloc(1, sizeof *d); for (i = 0; i < 8; i++) { d->of[i] = make("a"); pthread_create(&d->id[i], 0, work, d->of[i]); } for (i = 0; i < 8; i++) { pthread_join(d->id[i], 0); for (int k = 0; k < 8; k++) d->of[k]->text[0] = 1; }`, false},
	{"a flexible part", "struct str { int n; char s[]; }; static void *grow(void *a) { struct str *x = a; x->s[0] = 1; return 0; }", `while (n--) { struct str *p = malloc(sizeof *p + 8); pthread_create(&t, 0, grow, p); p->s[1 - argc] = 2; }`, false},
	{"an older link is left", "", `y = 0; while (n--) { x = make("a"); x->peer = y; pthread_create(&x->id, 0, peers, x); y = x; }`, false},
	{"a link that is put there by a function", "static void link(struct msg *x, struct msg *to) { x->peer = to; }", `y = make("b"); while (n--) { x = make("a"); link(x, y); pthread_create(&t, 0, peers, x); }`, false},
	{"a link that is put there by way of an address", "", `y = make("b"); while (n--) { struct msg **at; x = make("a"); at = &x->peer; *at = y; pthread_create(&t, 0, peers, x); }`, false},
	{"a link that is put there by bytes", "", `y = make("b"); while (n--) { x = make("a"); memcpy(&x->peer, &y, sizeof y); pthread_create(&t, 0, peers, x); }`, false},
	{"C11, written after the creation", "#include <threads.h>\nstatic int work11(void *a) { work(a); return 0; }", `while (n--) { thrd_t u; x = make("a"); thrd_create(&u, work11, x); x->text[0] = 1; }`, false},
	{"written after the creation", "", `while (n--) { x = make("a"); pthread_create(&t, 0, ends, x); x->text[0] = 1; }`, false},
	{"read after the creation", "", `while (n--) { x = make("a"); s = x->text; pthread_create(&t, 0, work, x); n += s[0]; }`, false},
	{"freed after the creation", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); free(x->text); }`, false},
	{"written by who called", "static void give(struct msg *x) { pthread_t t; pthread_create(&t, 0, work, x); }", `while (n--) { x = make("a"); give(x); x->text[0] = 1; }`, false},
	{"the same string for all", "", `s = strdup("ab"); while (n--) { x = make("a"); x->text = s; pthread_create(&t, 0, work, x); }`, false},
	{"one string for two", "", `while (n--) { x = make("a"); y = make("b"); y->text = x->text; pthread_create(&t, 0, work, x); pthread_create(&t, 0, work, y); }`, false},
	{"two threads for one", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); pthread_create(&t, 0, work, x); }`, false},
	{"a thread gets the string, another one the object", "", `while (n--) { x = make("a"); s = x->text; pthread_create(&t, 0, work, x); pthread_create(&t, 0, text, s); }`, false},
	{"lists with one end", "", `struct item *end = push(push(0, 1), 2); while (n--) { l = push(end, 3); pthread_create(&t, 0, sums, l); }`, false},
	{"a list that grows", "", `while (n--) { l = push(l, 3); pthread_create(&t, 0, inner, l); }`, false},
	{"kept in a global", "", `while (n--) { x = make("a"); keep = x->text; pthread_create(&t, 0, work, x); keep[0] = 1; }`, false},
	{"found in a global", "", `while (n--) { x = make("a"); last = x; pthread_create(&t, 0, work, x); last->text[0] = 1; }`, false},
	{"kept by the thread", "", `while (n--) { x = make("a"); pthread_create(&t, 0, keeps, x); } pthread_create(&t, 0, finds, 0);`, false},
	{"overwritten by main", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); x->text = 0; }`, false},
	{"another one's string is put in later", "", `x = make("a"); y = make("b"); pthread_create(&t, 0, work, x); pthread_mutex_lock(&m); x->text = y->text; pthread_mutex_unlock(&m); pthread_create(&t, 0, work, y);`, false},
	{"an own string is put into another one's object", "", `x = make("a"); pthread_create(&t, 0, peers, x); y = make("b"); x->peer = y; pthread_create(&t, 0, work, y);`, false},
	{"a copy of the object", "", `while (n--) { x = make("a"); y = malloc(sizeof *y); *y = *x; pthread_create(&t, 0, work, x); pthread_create(&t, 0, work, y); }`, false},
	{"a copy by bytes", "", `while (n--) { x = make("a"); y = malloc(sizeof *y); memcpy(y, x, sizeof *y); pthread_create(&t, 0, work, x); pthread_create(&t, 0, work, y); }`, false},
	{"a copy on the stack", "", `while (n--) { struct msg z; x = make("a"); z = *x; pthread_create(&t, 0, work, x); y = malloc(sizeof *y); *y = z; pthread_create(&t, 0, work, y); }`, false},
	{"copied after the creation", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); y = malloc(sizeof *y); y->text = x->text; pthread_create(&t, 0, work, y); }`, false},
	{"by a number", "", `while (n--) { x = make("a"); number = (uintptr_t)x->text; pthread_create(&t, 0, work, x); ((char *)number)[0] = 1; }`, false},
	{"by a number in a local", "", `while (n--) { x = make("a"); uintptr_t u = (uintptr_t)x; pthread_create(&t, 0, work, x); ((struct msg *)u)->text[0] = 1; }`, false},
	{"by a union", "union u { struct msg *x; uintptr_t n; };", `while (n--) { union u w; x = make("a"); w.x = x; pthread_create(&t, 0, work, x); ((struct msg *)w.n)->text[0] = 1; }`, false},
	{"by a function that returns it", "", `while (n--) { x = make("a"); y = same(x); pthread_create(&t, 0, work, x); y->text[0] = 1; }`, false},
	{"returned by two calls", "static struct msg *only(void) { if (!last) last = make(\"a\"); return last; }", `while (n--) { x = only(); pthread_create(&t, 0, work, x); }`, false},
	{"an address of a pointer", "static void fill(struct msg **to) { *to = make(\"a\"); }", `while (n--) { fill(&x); y = x; pthread_create(&t, 0, work, x); fill(&x); y->text[0] = 1; }`, false},
	{"an inner address", "static void *lists(void *a) { struct msg *x = a; x->list->v++; return 0; }", `while (n--) { x = make("a"); x->list = &x->in; l = x->list; pthread_create(&t, 0, lists, x); l->v = 1; }`, false},
	{"an array with numbers, one element for all", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } x = all[n]; pthread_join(x->id, 0); y = all[argc]; y->text[0] = 1;`, false},
	{"an index that changes", "", `for (i = 0; i < 7; i++) { all[i] = make("a"); i++; all[i] = last; pthread_create(&t, 0, work, all[i]); last = make("b"); if (n == i) pthread_create(&t, 0, work, last); }`, false},
	{"written by a function in between", "static struct msg *slot[8]; static void swap(void) { slot[0] = last; }", `while (n--) { slot[0] = make("a"); swap(); pthread_create(&t, 0, work, slot[0]); last = make("b"); pthread_create(&t, 0, work, last); }`, false},
	{"written by a thread in between", "static struct msg *slot; static void *swaps(void *a) { pthread_mutex_lock(&m); slot = last; pthread_mutex_unlock(&m); return 0; }", `last = make("z"); pthread_create(&t, 0, swaps, 0); pthread_create(&t, 0, work, last); while (n--) { x = make("a"); pthread_mutex_lock(&m); slot = x; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); y = slot; pthread_mutex_unlock(&m); pthread_create(&t, 0, work, y); }`, false},
	{"the base of the array changes", "static struct msg *more[8];", `struct msg **at = all; while (n--) { at[0] = make("a"); at = at == all ? more : all; pthread_create(&t, 0, work, at[0]); }`, false},
	{"the id is moved", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 7; i++) { x = all[i]; x->id2 = all[i + 1]->id; pthread_join(x->id2, 0); x->text[0] = 1; }`, false},
	{"the id is copied with the object", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, none, 0); y = make("b"); y->id = all[i]->id; all[i] = y; pthread_create(&t, 0, work, y); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); x->text[0] = 1; }`, false},
	{"the id is copied by bytes", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } y = make("b"); memcpy(&y->id, &all[0]->id, sizeof y->id); pthread_create(&t, 0, work, y); pthread_join(y->id, 0); y->text[0] = 1;`, false},
	{"the id stays in a resized object", "", `x = make("a"); pthread_create(&x->id, 0, none, 0); x = realloc(x, 2 * sizeof *x); y = x; pthread_create(&t, 0, work, x); pthread_join(y->id, 0); y->text[0] = 1;`, false},
	{"the thread joins, too", "static void *joins(void *a) { struct msg *x = a; pthread_join(x->id2, 0); upper(x->text); return 0; }", `for (i = 0; i < 8; i++) { all[i] = make("a"); all[i]->id2 = pthread_self(); pthread_create(&all[i]->id, 0, joins, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); x->text[0] = 1; }`, false},
	{"joined by a time", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_detach(x->id); x->text[0] = 1; }`, false},
	{"stored in a local struct", "", `struct { struct msg *p; } w; while (n--) { w.p = make("a"); pthread_create(&t, 0, work, w.p); w.p->text[0] = 1; }`, false},
	{"a label", "", `y = 0; again: x = make("a"); pthread_create(&t, 0, work, x); if (y) y->text[0] = 1; y = x; if (n--) goto again;`, false},
	{"a computed label", "", `void *to[] = {&&one, &&other}; x = make("a"); one: pthread_create(&t, 0, work, x); if (n--) goto *to[n & 1]; other: x->text[0] = 1;`, false},
	{"a conditional expression", "", `y = make("b"); while (n--) { x = make("a"); pthread_create(&t, 0, work, n & 1 ? x : y); if (n & 1) x = 0; else x->text[0] = 2; y->text[0] = 1; }`, false},
	{"an element of an array of objects", "", `x = calloc(4, sizeof *x); while (n--) { x[n].text = strdup("a"); pthread_create(&t, 0, work, &x[n]); x[0].text[0] = 1; }`, false},
	{"a handler at the end", "static void last_of(void) { last->text[0] = 1; }", `atexit(last_of); while (n--) { last = make("a"); pthread_create(&t, 0, work, last); }`, false},
	{"a thread with two", "static void *pair(void *a) { struct msg **x = a; upper(x[0]->text); upper(x[1]->text); return 0; }", `y = make("b"); while (n--) { struct msg **p = malloc(2 * sizeof *p); p[0] = make("a"); p[1] = y; pthread_create(&t, 0, pair, p); }`, false},
	{"part of the object for each", "", `while (n--) { x = make("a"); x->in.next = 0; pthread_create(&t, 0, inner, &x->in); pthread_create(&t, 0, inner, &x->in); }`, false},
	{"resized after the creation", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); y = realloc(x, 99); pthread_create(&t, 0, work, y); }`, false},
	{"in a loop, an older one", "", `y = 0; while (n--) { x = make("a"); if (y) x->peer = y; pthread_create(&t, 0, peers, x); y = make("b"); last = y; if (n == 1) pthread_create(&t, 0, work, y); }`, false},
	{"the thread of the turn before", "", `y = make("z"); while (n--) { x = make("a"); pthread_create(&t, 0, work, y); y = x; x->text[0] = 1; }`, false},
	{"passed on, and used", "", `while (n--) { x = make("a"); pthread_create(&t, 0, peers, x); } x = make("b"); x->peer = make("c"); pthread_create(&t, 0, later, x); x->text[0] = 1;`, false},
	{"the id of another one", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 7; i++) { pthread_join(all[i]->id, 0); all[i + 1]->text[0] = 1; }`, false},
	{"an id that was put there", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } pthread_create(&t, 0, none, 0); all[1]->id2 = t; all[1]->id = t; x = all[1]; pthread_join(x->id, 0); x->text[0] = 1;`, false},
	{"an id of another thread", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id2, 0, none, 0); pthread_create(&all[i]->id, 0, work, all[i]); x = all[i]; pthread_join(x->id2, 0); x->text[0] = 1; }`, false},
	{"an id of an older thread", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); y = make("b"); pthread_create(&all[i]->id, 0, work, y); pthread_create(&t, 0, work, all[i]); } x = all[2]; pthread_join(x->id, 0); x->text[0] = 1;`, false},
	{"a thread that passes it on is joined", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, later, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); x->text[0] = 1; }`, false},
	{"before it is joined", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; x->text[0] = 1; pthread_join(x->id, 0); }`, false},
	{"joined sometimes", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; if (i != n) pthread_join(x->id, 0); x->text[0] = 1; }`, false},
	{"another one since", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 7; i++) { x = all[i]; pthread_join(x->id, 0); x = all[i + 1]; x->text[0] = 1; }`, false},
	{"another element since", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 7; i++) { pthread_join(all[i]->id, 0); i++; all[i]->text[0] = 1; }`, false},
	{"the element is written since", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); pthread_create(&all[i]->id, 0, work, all[i]); } for (i = 0; i < 7; i++) { pthread_join(all[i]->id, 0); all[n] = all[i + 1]; all[i]->text[0] = 1; }`, false},
	{"one element stands for another one", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); if (i > n) all[i - n] = all[i]; pthread_create(&all[i]->id, 0, work, all[i]); if (n == 2) all[i]->text[0] = 1; }`, false},
	{"stored twice", "", `for (i = 0; i < 4; i++) { x = make("a"); all[i] = x; all[i + 4] = x; } for (i = 0; i < 8; i++) pthread_create(&t, 0, work, all[i]);`, false},
	{"an object of two, joined", "", `for (i = 0; i < 8; i++) { all[i] = make("a"); all[i]->peer = i ? all[i - 1] : 0; pthread_create(&all[i]->id, 0, peers, all[i]); } for (i = 0; i < 8; i++) { x = all[i]; pthread_join(x->id, 0); x->text[0] = 1; }`, false},
	{"a struct by value", "static void all_of(struct msg z) { z.text[0] = 1; }", `while (n--) { x = make("a"); struct msg z = *x; pthread_create(&t, 0, work, x); all_of(z); }`, false},
	{"a callback", "static int order(const void *a, const void *b) { (*(struct msg **)a)->text[0] = 1; return 0; }", `while (n--) { all[0] = make("a"); all[1] = make("a"); pthread_create(&t, 0, work, all[0]); qsort(all, 2, sizeof *all, order); }`, false},
	{"a pointer to a function", "static void touch(struct msg *x) { x->text[0] = 1; } static void (*hook)(struct msg *) = touch;", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); hook(x); }`, false},
	{"its own variable", "static _Thread_local struct msg *mine;", `while (n--) { mine = make("a"); pthread_create(&t, 0, work, mine); mine->text[0] = 1; }`, false},
	{"a value of the thread", "static pthread_key_t key;", `pthread_key_create(&key, 0); while (n--) { x = make("a"); pthread_setspecific(key, x); pthread_create(&t, 0, work, x); ((struct msg *)pthread_getspecific(key))->text[0] = 1; }`, false},
	{"created by a thread, too", "static void *both(void *a) { struct msg *x = a; pthread_t t; pthread_create(&t, 0, work, x); upper(x->text); return 0; }", `while (n--) { x = make("a"); pthread_create(&t, 0, both, x); }`, false},
	{"printed", "", `while (n--) { x = make("a"); pthread_create(&t, 0, work, x); printf("%s\n", x->text); }`, false},
	{"listed by v", "#include <stdarg.h>\nstatic void say(const char *f, ...) { va_list ap; va_start(ap, f); vprintf(f, ap); va_end(ap); }", `while (n--) { x = make("a"); s = x->text; pthread_create(&t, 0, work, x); say("%s", s); }`, false},
	{"tokens", "", `while (n--) { x = make("a b"); strtok(x->text, " "); pthread_create(&t, 0, work, x); strtok(0, " "); }`, false},
	{"rotated pointers", "", `x = make("a"); y = make("b"); while (n--) { struct msg *z = x; x = y; y = z; pthread_create(&t, 0, work, x); x = make("c"); }`, false},
	{"a field that is exchanged", "", `while (n--) { x = make("a"); s = __atomic_exchange_n(&x->text, strdup("b"), 5); keep = x->text; pthread_create(&t, 0, work, x); keep[0] = 1; }`, false},
	{"a recursion", "static void go(struct msg *x, int k) { pthread_t t; if (k) go(x, k - 1); pthread_create(&t, 0, work, x); }", `go(make("a"), n);`, false},
	{"a store that changes what its place is called by", "", `x = make("a"); struct item h, *o = push(0, 1), *z; h.next = &h; pthread_create(&t, 0, inner, o); z = push(o, 2); h.next->next = z; h.next->next->v = 1;`, false},
	{"an array that changes what its place is called by", "", `void *v[4]; struct item *o = push(0, 1), *z; pthread_create(&t, 0, inner, o); z = push(o, 2); z->next = o; v[1] = v; ((void **)v[1])[1] = z; ((struct item *)((void **)v[1])[1])->next->v = 1;`, false},
	{"a compound literal, again", "static void *deep(void *a) { **(int **)a = 1; return 0; }", `int **w, k = 0; again: w = &(int *){ malloc(4) }; pthread_create(&t, 0, deep, w); if (k++ < 2) goto again; for (;;) ;`, false},
	{"an address behind null", "", `x = make("a"); char *z = 0; y = (struct msg *)(z + (uintptr_t)x); pthread_create(&t, 0, work, x); y->text[0] = 1;`, false},
	{"before the others end", "", `x = make("a"); pthread_create(&x->id, 0, work, x); pthread_create(&t, 0, none, 0); pthread_join(t, 0); x->text[0] = 1;`, false},
}

func handoverText(decls, body string) string {
	return strings.Replace(strings.Replace(handoverHeader, "DECLS", decls, 1), "BODY", body, 1)
}

// TestHandedOver has objects that go from thread to thread with what they lead to.
func TestHandedOver(t *testing.T) {
	for i, c := range handed {
		if !long.Turn(i, 5) {
			continue
		}
		forges(t, c.name, handoverText(c.decls, c.body), certificate.HandedOver, c.free)
	}
}
