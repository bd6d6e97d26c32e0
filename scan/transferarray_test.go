package scan_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

const arrayHeader = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { int x; };
struct box { pthread_mutex_t m; struct job *a[8]; int n, in, out; pthread_cond_t c; } b = { PTHREAD_MUTEX_INITIALIZER };
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
struct job *kept;
int flag;
#define LOCK pthread_mutex_lock(&b.m);
#define UNLOCK pthread_mutex_unlock(&b.m);
`

const (
	push  = "LOCK if (b.n < 8) { b.a[b.n++] = j; j = 0; } UNLOCK free(j);"
	pop   = "LOCK if (b.n > 0) j = b.a[--b.n]; UNLOCK"
	ringP = "LOCK if (!b.a[b.in]) { b.a[b.in] = j; b.in = (b.in + 1) % 8; j = 0; } UNLOCK free(j);"
	ringT = "LOCK j = b.a[b.out]; b.a[b.out] = 0; if (j) b.out = (b.out + 1) % 8; UNLOCK"
)

const (
	queuePut  = "LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; UNLOCK"
	queueTake = "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.out]; b.out = (b.out + 1) % 8; b.n--; UNLOCK"
)

// queuePairs are such programs with rings of which a number tells how many elements are in use.
var queuePairs = []pair{
	{"a queue", transferring(queuePut, queueTake), transferring(queuePut, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.out]; b.n--; UNLOCK")},
	{"not full", transferring(queuePut, queueTake), transferring("LOCK while (b.n > 8) pthread_cond_wait(&b.c, &b.m); b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; UNLOCK", queueTake)},
	{"not full, once", transferring("LOCK if (b.n < 8) { b.a[b.in] = j; b.in = (b.in + 1) & 7; b.n++; j = 0; } UNLOCK free(j);", queueTake), transferring("LOCK if (b.n <= 8) { b.a[b.in] = j; b.in = (b.in + 1) & 7; b.n++; j = 0; } UNLOCK free(j);", queueTake)},
	{"not empty", transferring(queuePut, queueTake), transferring(queuePut, "LOCK j = b.a[b.out]; b.out = (b.out + 1) % 8; b.n--; UNLOCK")},
	{"not empty, once", transferring(queuePut, "LOCK if (b.n > 0) { j = b.a[b.out]; b.out = (b.out + 1) % 8; b.n--; } UNLOCK"), transferring(queuePut, "LOCK if (b.n >= 0) { j = b.a[b.out]; b.out = (b.out + 1) % 8; b.n--; } UNLOCK")},
	{"its length", transferring(queuePut, queueTake), transferring(queuePut, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.out]; b.out = (b.out + 1) % 7; b.n--; UNLOCK")},
	{"counted down", transferring(queuePut, queueTake), transferring(queuePut, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.out]; b.out = (b.out + 1) % 8; UNLOCK")},
	{"counted up", transferring("LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); b.n++; b.a[b.in] = j; b.in = (b.in + 1) % 8; UNLOCK", queueTake), transferring("LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); b.n += 2; b.a[b.in] = j; b.in = (b.in + 1) % 8; UNLOCK", queueTake)},
	{"counted in the lock", transferring(queuePut, queueTake), transferring(queuePut, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.out]; b.out = (b.out + 1) % 8; UNLOCK LOCK b.n--; UNLOCK")},
	{"at the tail", transferring("int i; LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); i = b.in; b.a[i] = j; b.in = (i + 1) % 8; b.n++; UNLOCK", queueTake),
		transferring("LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); b.in = (b.in + 1) % 8; b.a[b.in] = j; b.n++; UNLOCK", queueTake)},
	{"the head is moved behind", transferring(queuePut, "int i = 0; LOCK if (b.n) { i = b.out; b.out = (i + 1) % 8; b.n--; j = b.a[i]; } UNLOCK"), transferring(queuePut, "int i = 0; LOCK if (b.n) { i = b.out; b.out = (i + 1) % 8; b.n--; j = b.a[b.out]; } UNLOCK")},
	{"two are put", transferring("struct job *k = malloc(sizeof *k); LOCK while (b.n > 0) pthread_cond_wait(&b.c, &b.m); b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; b.a[b.in] = k; b.in = (b.in + 1) % 8; b.n++; UNLOCK", queueTake),
		transferring("LOCK while (b.n > 0) pthread_cond_wait(&b.c, &b.m); b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; UNLOCK", queueTake)},
	{"used before", transferring("LOCK while (b.n == 8) pthread_cond_wait(&b.c, &b.m); b.a[b.in] = j; b.in = (b.in + 1) % 8; b.n++; j->x = 2; UNLOCK", queueTake), transferring(queuePut+" j->x = 2;", queueTake)},
	{"looked at", transferring(queuePut, "LOCK if (b.n > 0) b.a[b.out]->x++; UNLOCK "+queueTake), transferring(queuePut, "struct job *k = 0; LOCK if (b.n > 0) k = b.a[b.out]; UNLOCK if (k) k->x++; "+queueTake)},
	{"put in front", transferring(queuePut, queueTake), transferring(queuePut, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[b.in]; b.in = (b.in + 1) % 8; b.n--; UNLOCK")},
	{"of three", transferringBy("struct job *s[3]; int in, out, n;", "LOCK if (n < 3) { s[in] = j; in = (in + 1) % 3; n++; j = 0; } UNLOCK free(j);", "LOCK if (n) { j = s[out]; out = (out + 1) % 3; n--; } UNLOCK", "j->x++; free(j);"),
		transferringBy("struct job *s[3]; int in, out, n;", "LOCK if (n < 4) { s[in] = j; in = (in + 1) % 3; n++; j = 0; } UNLOCK free(j);", "LOCK if (n) { j = s[out]; out = (out + 1) % 3; n--; } UNLOCK", "j->x++; free(j);")},
	{"free running", transferringBy("struct job *s[16]; unsigned in, out, n;", "LOCK if (n < 16) { s[in++ & 15] = j; n++; j = 0; } UNLOCK free(j);", "LOCK if (n) { j = s[out++ & 15]; n--; } UNLOCK", "j->x++; free(j);"),
		transferringBy("struct job *s[12]; unsigned in, out, n;", "LOCK if (n < 12) { s[in++ % 12] = j; n++; j = 0; } UNLOCK free(j);", "LOCK if (n) { j = s[out++ % 12]; n--; } UNLOCK", "j->x++; free(j);")},
	{"begun anew", transferring(queuePut, "LOCK b.n = b.in = b.out = 0; UNLOCK "+queueTake), transferring(queuePut, "LOCK b.n = b.in = 0; UNLOCK "+queueTake)},
}

// allocated returns a program whose main allocates an array before it creates threads that use it.
func allocated(more, begin, put, take string) string {
	src := transferringBy("struct job **s; int in, out, n, cap;"+more, put, take, "j->x++; free(j);")
	return strings.Replace(src, "pthread_t t[4];", "pthread_t t[4]; "+begin, 1)
}

const (
	zeroed  = "s = calloc(16, sizeof *s); cap = 16; if (!s) return 1;"
	raw     = "s = malloc(16 * sizeof *s); cap = 16; if (!s) return 1;"
	slotIn  = "LOCK if (n < cap) { s[in] = j; in = (in + 1) % cap; n++; j = 0; } UNLOCK free(j);"
	slotOut = "LOCK if (n > 0) { j = s[out]; s[out] = 0; out = (out + 1) % cap; n--; } UNLOCK"
	heapIn  = "LOCK if (n < cap) { s[n++] = j; j = 0; } UNLOCK free(j);"
	boxed   = "p = malloc(sizeof *p); if (!p) return 1; pthread_mutex_init(&p->m, 0); p->n = 0;"
	heapOut = "LOCK if (n > 0) j = s[--n]; UNLOCK"
)

// heapPairs are such programs with arrays that are allocated.
var heapPairs = []pair{
	{"a ring", allocated("", zeroed, slotIn, slotOut), allocated("", zeroed, slotIn, strings.Replace(slotOut, "s[out] = 0;", "", 1))},
	{"zeroed", allocated("", zeroed, slotIn, slotOut), allocated("", raw, slotIn, slotOut)}, // it holds anything
	{"a stack", allocated("", raw, heapIn, heapOut), allocated("", raw, heapIn, strings.Replace(heapOut, "--n", "n - 1", 1))},
	{"used from the beginning", allocated("", raw+" struct job *k = malloc(sizeof *k); if (!k) return 1; k->x = 0; s[n++] = k;", heapIn, heapOut), allocated("", raw+" n++;", heapIn, heapOut)},
	{"allocated once", allocated("", raw, heapIn, heapOut), allocated("", raw+" pthread_create(&t[0], 0, producer, 0); LOCK "+raw+" UNLOCK", heapIn, heapOut)},
	{"allocated in the lock", allocated("", "LOCK "+raw+" UNLOCK", heapIn, heapOut), allocated("", "pthread_create(&t[0], 0, producer, 0); LOCK UNLOCK "+raw, heapIn, heapOut)},
	{"an address of another element", allocated("", raw+" LOCK *(s + 1) = 0; UNLOCK", heapIn, heapOut), allocated("struct job **e;", raw+" e = s + 1;", heapIn, "LOCK if (n > 0) j = e[--n]; UNLOCK")},
	{"begins elsewhere", allocated("", raw, heapIn, heapOut), allocated("", raw+" s++;", heapIn, heapOut)},
	{"passed on", allocated("static void add(struct job **a, struct job *j) { a[n++] = j; }", raw, "LOCK if (n < cap) { add(s, j); j = 0; } UNLOCK free(j);", heapOut),
		allocated("static void add(struct job **a, struct job *j) { a[n++] = j; }", raw, "LOCK if (n < cap) { add(s + 1, j); j = 0; } UNLOCK free(j);", heapOut)},
	{"by another name", allocated("struct job **e;", raw+" e = s;", heapIn, "LOCK if (n > 0) j = e[--n]; UNLOCK"), allocated("struct job **e;", raw+" e = s;", heapIn, "LOCK if (n > 0) { j = e[n - 1]; n--; if (n) j = e[n - 1]; } UNLOCK")},
	{"in a struct that is allocated", allocated("struct box *p;", boxed, "pthread_mutex_lock(&p->m); if (p->n < 8) { p->a[p->n++] = j; j = 0; } pthread_mutex_unlock(&p->m); free(j);", "pthread_mutex_lock(&p->m); if (p->n > 0) j = p->a[--p->n]; pthread_mutex_unlock(&p->m);"),
		allocated("struct box *p;", boxed, "pthread_mutex_lock(&p->m); if (p->n < 8) { p->a[p->n++] = j; j = 0; } pthread_mutex_unlock(&p->m); free(j);", "pthread_mutex_lock(&p->m); if (p->n > 0) j = p->a[p->n--]; pthread_mutex_unlock(&p->m);")},
	{"one of two", allocated("", raw, heapIn, heapOut), allocated("struct job **e;", raw+" e = malloc(64); s[0] = e[0] = 0;", strings.Replace(heapIn, "s[n++]", "(full ? s : e)[n++]", 1), strings.Replace(heapOut, "s[--n]", "(full ? e : s)[--n]", 1))},
	{"a number that does not wrap", allocated("", raw, heapIn, heapOut), allocated("unsigned short k;", raw, "LOCK s[k++] = j; UNLOCK", "LOCK if (k) j = s[--k]; UNLOCK")},
}

// arrayPairs are programs in which an array transfers the ownership of objects, and what is wrong with nearly the same ones.
var arrayPairs = []pair{
	{"a stack", transferring(push, pop), transferring(push, "LOCK if (b.n > 0) j = b.a[b.n - 1]; UNLOCK")},
	{"the element in use", transferring(push, "LOCK if (b.n > 0) { j = b.a[b.n - 1]; b.n--; } UNLOCK"), transferring(push, "LOCK if (b.n > 0) { j = b.a[b.n]; b.n--; } UNLOCK")},
	{"counted down first", transferring(push, "LOCK if (b.n > 0) { b.n--; j = b.a[b.n]; } UNLOCK"), transferring(push, "LOCK if (b.n > 0) { b.n--; j = b.a[b.n + 1]; } UNLOCK")},
	{"counted down in the lock", transferring(push, "int k = 0; LOCK if (b.n > 0) { k = b.n - 1; j = b.a[k]; b.n = k; } UNLOCK"), transferring(push, "LOCK if (b.n > 0) j = b.a[b.n - 1]; UNLOCK LOCK if (b.n > 0) b.n--; UNLOCK")},
	{"the lock", transferring(push, pop), transferring(push, "pthread_mutex_lock(&other); if (b.n > 0) j = b.a[--b.n]; pthread_mutex_unlock(&other);")},
	{"the lock of who puts", transferring(push, pop), transferring("if (b.n < 8) { b.a[b.n++] = j; j = 0; }", pop)},
	{"counted up behind", transferring("LOCK if (b.n < 8) { b.a[b.n] = j; j = 0; b.n++; } UNLOCK free(j);", pop), transferring("LOCK if (b.n < 8) { b.a[b.n] = j; b.n++; } UNLOCK j->x = 2;", pop)},
	{"counted up before", transferring("LOCK if (b.n < 8) { b.n++; b.a[b.n - 1] = j; j = 0; } UNLOCK free(j);", pop), transferring("LOCK if (b.n < 7) { b.n++; b.a[b.n] = j; j = 0; } UNLOCK free(j);", pop)},
	{"put once", transferring("LOCK if (b.n < 7) { b.a[b.n++] = j; j = 0; } UNLOCK free(j);", pop), transferring("LOCK if (b.n < 7) { b.a[b.n++] = j; b.a[b.n++] = j; j = 0; } UNLOCK free(j);", pop)},
	{"put once in all", transferring(push, pop), transferring("LOCK if (b.n < 7) { b.a[b.n++] = j; } UNLOCK LOCK if (b.n < 7) { b.a[b.n++] = j; j = 0; } UNLOCK", pop)},
	{"an alias", transferring("LOCK kept = j; UNLOCK "+push, pop), transferring("LOCK kept = j; UNLOCK "+push, pop+" LOCK struct job *k = kept; UNLOCK if (k) k->x = 3;")},
	{"an alias of one's own", transferring("struct job *k = j; "+push, pop), transferring("struct job *k = j; "+push+" k->x = 2;", pop)},
	{"two are taken", transferring(push, "struct job *k = 0; LOCK if (b.n > 1) { j = b.a[--b.n]; k = b.a[--b.n]; } UNLOCK if (k) { k->x = 5; free(k); }"),
		transferring(push, "struct job *k = 0; LOCK if (b.n > 1) { j = b.a[b.n - 1]; k = b.a[b.n - 2]; b.n--; } UNLOCK if (k) { k->x = 5; free(k); }")},
	{"all are freed in the lock", transferring(push, "LOCK while (b.n > 0) free(b.a[--b.n]); UNLOCK"), transferring(push, "LOCK for (int i = 0; i < b.n; i++) free(b.a[i]); UNLOCK "+pop)},
	{"emptied", transferring(push, "LOCK b.n = 0; UNLOCK"), transferring(push, "LOCK b.n = 0; UNLOCK LOCK b.n = 1; UNLOCK "+pop)},
	{"one less", transferring(push, "LOCK if (b.n) b.n--; UNLOCK"), transferring(push, "LOCK if (b.n) b.n--; UNLOCK LOCK if (b.n < 8) b.n++; UNLOCK "+pop)},
	{"the last one looked at", transferring(push, "LOCK if (b.n > 0) b.a[b.n - 1]->x++; UNLOCK "+pop), transferring(push, "struct job *k = 0; LOCK if (b.n > 0) k = b.a[b.n - 1]; UNLOCK if (k) k->x++; "+pop)},
	{"put back", transferringBy("", push, pop, "j->x++; "+push), transferringBy("", push, pop, push+" j->x++;")},
	{"waited for", transferring(push, "LOCK while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[--b.n]; UNLOCK"),
		transferring(push, "LOCK int k = --b.n; while (b.n == 0) pthread_cond_wait(&b.c, &b.m); j = b.a[k]; UNLOCK")},
	{"waits after", transferring(push, "LOCK if (b.n) { j = b.a[--b.n]; pthread_cond_wait(&b.c, &b.m); } UNLOCK"), transferring(push, "LOCK if (b.n) { j = b.a[b.n - 1]; pthread_cond_wait(&b.c, &b.m); b.n--; } UNLOCK")},
	{"tried", transferring(push, "if (pthread_mutex_trylock(&b.m) == 0) { if (b.n) j = b.a[--b.n]; UNLOCK }"), transferring(push, "if (pthread_mutex_trylock(&b.m) != 0) { if (b.n) j = b.a[--b.n]; UNLOCK }")},
	{"swapped with the last one", transferring(push, "LOCK if (b.n > 0) { j = b.a[0]; b.a[0] = b.a[--b.n]; } UNLOCK"), transferring(push, "LOCK if (b.n > 0) { j = b.a[0]; b.a[0] = b.a[b.n - 1]; } UNLOCK")},
	{"the first one is replaced", transferring(push, "LOCK if (b.n > 1) { b.n--; j = b.a[0]; b.a[0] = b.a[b.n]; } UNLOCK"), transferring(push, "LOCK if (b.n > 1) { j = b.a[0]; b.a[0] = b.a[1]; b.n--; } UNLOCK")},
	{"swapped", transferring(push, "LOCK if (b.n > 1) { struct job *k = b.a[0]; b.a[0] = b.a[b.n - 1]; b.a[b.n - 1] = k; } UNLOCK "+pop),
		transferring(push, "LOCK if (b.n > 1) { b.a[0] = b.a[b.n - 1]; b.a[b.n - 1] = b.a[0]; } UNLOCK "+pop)},
	{"by functions", transferringBy("static void add(struct box *p, struct job *j) { pthread_mutex_lock(&p->m); p->a[p->n++] = j; pthread_mutex_unlock(&p->m); } static struct job *get(struct box *p) { struct job *j = 0; pthread_mutex_lock(&p->m); if (p->n) j = p->a[--p->n]; pthread_mutex_unlock(&p->m); return j; }", "add(&b, j);", "j = get(&b);", "j->x++; free(j);"),
		transferringBy("static void add(struct box *p, struct job *j) { pthread_mutex_lock(&p->m); p->a[p->n++] = j; pthread_mutex_unlock(&p->m); } static struct job *get(struct box *p) { struct job *j = 0; pthread_mutex_lock(&p->m); if (p->n) j = p->a[p->n - 1]; pthread_mutex_unlock(&p->m); return j; }", "add(&b, j);", "j = get(&b);", "j->x++; free(j);")},
	{"by a pointer to the array", transferring("LOCK struct job **p = b.a; p[b.n++] = j; UNLOCK", "LOCK struct job **p = b.a; if (b.n) j = p[--b.n]; UNLOCK"),
		transferring("LOCK struct job **p = b.a; p[b.n++] = j; UNLOCK", "LOCK struct job **p = b.a + 1; if (b.n) j = p[--b.n]; UNLOCK")},
	{"other numbers", transferringBy("struct job *s[16]; unsigned long top;", "LOCK if (top < 16) { s[top++] = j; j = 0; } UNLOCK free(j);", "LOCK if (top) j = s[--top]; UNLOCK", "j->x++; free(j);"),
		transferringBy("struct job *s[16]; unsigned long top;", "LOCK if (top < 16) { s[top++] = j; j = 0; } UNLOCK free(j);", "LOCK if (top) j = s[top--]; UNLOCK", "j->x++; free(j);")},
	{"a number that does not wrap", transferringBy("struct job *s[256]; unsigned top;", "LOCK s[top++] = j; UNLOCK", "LOCK if (top) j = s[--top]; UNLOCK", "j->x++; free(j);"),
		transferringBy("struct job *s[256]; unsigned char top;", "LOCK s[top++] = j; UNLOCK", "LOCK if (top) j = s[--top]; UNLOCK", "j->x++; free(j);")},
	{"freed once", transferringBy("", push, pop, "free(j);"), transferringBy("", push, pop, "free(j); LOCK b.a[b.n++] = j; UNLOCK")},
	{"a ring", transferring(ringP, ringT), transferring(ringP, "LOCK j = b.a[b.out]; if (j) b.out = (b.out + 1) % 8; UNLOCK")},
	{"a ring, and its element", transferring(ringP, ringT), transferring(ringP, "LOCK j = b.a[b.out]; b.a[b.in] = 0; if (j) b.out = (b.out + 1) % 8; UNLOCK")},
	{"a ring, cleared there", transferring(ringP, "LOCK int i = b.out; j = b.a[i]; b.a[i] = 0; if (j) b.out = (i + 1) % 8; UNLOCK"), transferring(ringP, "LOCK int i = b.out; j = b.a[i]; b.out = (i + 1) % 8; b.a[b.out] = 0; UNLOCK")},
	{"a ring, used before", transferring("LOCK b.a[b.in] = j; b.in = (b.in + 1) & 7; j->x = 3; UNLOCK", ringT), transferring("LOCK b.a[b.in] = j; b.in = (b.in + 1) & 7; UNLOCK j->x = 3;", ringT)},
	{"a ring, put twice", transferring("LOCK b.a[b.in] = j; b.in = (b.in + 1) & 7; UNLOCK", ringT), transferring("LOCK b.a[b.in] = j; b.in = (b.in + 1) & 7; b.a[b.in] = j; UNLOCK", ringT)},
	{"searched", transferring("LOCK for (int i = 0; i < 8; i++) if (!b.a[i]) { b.a[i] = j; j = 0; break; } UNLOCK free(j);", "LOCK for (int i = 0; i < 8; i++) if (b.a[i]) { j = b.a[i]; b.a[i] = 0; break; } UNLOCK"),
		transferring("LOCK for (int i = 0; i < 8; i++) if (!b.a[i]) { b.a[i] = j; j = 0; break; } UNLOCK free(j);", "LOCK for (int i = 0; i < 8; i++) if (b.a[i]) { j = b.a[i]; b.a[7 - i] = 0; break; } UNLOCK")},
	{"moved", transferring(ringP, "LOCK b.a[b.out] = b.a[b.in]; b.a[b.in] = 0; UNLOCK "+ringT), transferring(ringP, "LOCK b.a[b.out] = b.a[b.in]; UNLOCK "+ringT)},
	{"in a request", transferringBy("struct req { int k; struct job *j; };", push, "struct req *r = malloc(sizeof *r); LOCK r->j = b.n ? b.a[--b.n] : 0; UNLOCK if (r->j) { r->j->x++; free(r->j); } free(r);", ""),
		transferringBy("struct req { int k; struct job *j; };", push, "struct req *r = malloc(sizeof *r); LOCK r->j = b.n ? b.a[b.n - 1] : 0; UNLOCK if (r->j) { r->j->x++; free(r->j); } free(r);", "")},
	{"in a request, put back", transferringBy("struct req { int k; struct job *j; };", push, "struct req r; LOCK r.j = b.n ? b.a[--b.n] : 0; UNLOCK if (r.j) { r.j->x++; LOCK b.a[b.n++] = r.j; UNLOCK }", ""),
		transferringBy("struct req { int k; struct job *j; };", push, "struct req r; LOCK r.j = b.n ? b.a[--b.n] : 0; UNLOCK if (r.j) { LOCK b.a[b.n++] = r.j; UNLOCK r.j->x++; }", "")},
	{"in the last of two requests", transferringBy("struct req { int k; struct job *j; }; static struct req *more(void) { return malloc(sizeof(struct req)); }", push, "struct req *r = more(), *s = more(); r->j = s->j = 0; LOCK if (b.n) s->j = b.a[--b.n]; UNLOCK free(r); free(s);", ""),
		transferringBy("struct req { int k; struct job *j; }; static struct req *more(void) { return malloc(sizeof(struct req)); }", push, "struct req *r = more(), *s = more(); r->j = s->j = 0; LOCK if (b.n) r->j = b.a[--b.n]; UNLOCK LOCK if (r->j) b.a[b.n++] = r->j; UNLOCK LOCK if (b.n) s->j = b.a[--b.n]; UNLOCK if (r->j) r->j->x = 2;", "")},
}

// TestTransferArrays has arrays of addresses that transfer the ownership of objects.
func TestTransferArrays(t *testing.T) {
	checkPairs(t, arrayHeader, arrayPairs)
	checkPairs(t, arrayHeader, queuePairs)
	checkPairs(t, arrayHeader+"int full;\n", heapPairs)
}

// TestTransferArraysForged claims of the wrong ones what their right twins are proved by, with each state that the checker misses added. All of them if COMUS_SCAN is set.
func TestTransferArraysForged(t *testing.T) {
	for i, c := range slices.Concat(arrayPairs, queuePairs, heapPairs) {
		if os.Getenv("COMUS_SCAN") == "" && i%4 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 3)
			if what := grownArray(t, c.unsafe); what != "" {
				t.Errorf("confirmed with %s\n%s", what, c.unsafe)
			}
		})
	}
	if grownArray(t, allocated("", raw, heapIn, heapOut)) != "a stack" || grownArray(t, allocated("", zeroed, slotIn, slotOut)) != "all" ||
		grownArray(t, transferring(push, pop)) != "a stack" || grownArray(t, transferring(queuePut, queueTake)) != "a ring" || grownArray(t, transferring(ringP, ringT)) != "all" {
		t.Error("those that are right are not confirmed")
	}
}

// grownArray returns in which form all of a program is certified, "" if in none.
func grownArray(t *testing.T, src string) string {
	p := load(t, text(t, arrayHeader+"int full;\n"+src))
	pts, err := pointsto.AnalyseOpen(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p.Program, pts, scan.Options{Certificate: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	forge(r.Certificate, certificate.Transferred)
	object := func(name string) int {
		return slices.IndexFunc(pts.Objects, func(o *pointsto.Object) bool { return o.Global != nil && o.Global.Source == name })
	}
	b, s := object("b"), object("s")
	if b < 0 && s < 0 {
		return "" // it is in memory that has no name
	}
	for _, x := range []struct {
		what  string
		count int
		ring  *certificate.Ring
	}{{"a stack", 0, nil}, {"all", -1, nil}, {"a ring", 0, &certificate.Ring{Head: 2, Tail: 1}}} {
		k := certificate.Container{Lock: certificate.At{Object: b}, States: []certificate.ContainerState{{Slots: []bool{false}}}}
		if s >= 0 {
			array := s
			if pts.Objects[s].Global.Shape.Elem == nil { // the address of one that is allocated
				for _, l := range pts.Contents(pts.Objects[s], 0) {
					array = l.Obj.ID
				}
			}
			k.Arrays = []certificate.OwnArray{{At: certificate.At{Object: array}, Count: x.count, Ring: x.ring}}
			for _, name := range []string{"top", "n", "in", "out", "k"} {
				if i := object(name); i >= 0 {
					k.Numbers = append(k.Numbers, certificate.ContainerNumber{At: certificate.At{Object: i}, Bits: int(8 * pts.Objects[i].Global.Size), Signed: pts.Objects[i].Global.Shape.Scalar.Signed})
				}
			}
		} else {
			k.Arrays = []certificate.OwnArray{{At: certificate.At{Object: b, Off: 40}, Count: x.count, Ring: x.ring}}
			for i := range 3 {
				k.Numbers = append(k.Numbers, certificate.ContainerNumber{At: certificate.At{Object: b, Off: int64(104 + 4*i)}, Bits: 32, Signed: true})
			}
		}
		h := certificate.Transfer{Link: -1, Containers: []certificate.Container{k}}
		for i, o := range pts.Objects {
			if o.Site != nil && o.Func.Library && o.Func.Source == "malloc" && slices.ContainsFunc(pts.Contents(pts.Objects[k.Arrays[0].At.Object], k.Arrays[0].At.Off), func(l pointsto.Location) bool { return l.Obj == o }) {
				h.Objects = append(h.Objects, i)
			}
		}
		for range 8 {
			c := copied(t, r.Certificate)
			c.Transfers = []certificate.Transfer{h}
			rep, err := scancheck.Check(t.Context(), p.Program, pts, c)
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Refused) == 0 {
				return x.what
			}
			i := slices.IndexFunc(rep.Refused, func(s string) bool { return strings.Contains(s, "another state: ") })
			if i < 0 {
				break
			}
			state, ok := stateIn(rep.Refused[i])
			if !ok {
				t.Fatalf("no state in %q", rep.Refused[i])
			}
			h.Containers[0].States = append(h.Containers[0].States, state)
		}
	}
	return ""
}

// TestTransferArraysMutated changes what is claimed of arrays: each change is seen.
func TestTransferArraysMutated(t *testing.T) {
	changes := map[string]func(k *certificate.Container){
		"all are in use":      func(k *certificate.Container) { k.Arrays[0].Count = -1; k.Arrays[0].Ring = nil },
		"another number":      func(k *certificate.Container) { k.Arrays[0].Count++ },
		"a number before":     func(k *certificate.Container) { k.Arrays[0].Count = 0; k.Numbers[0].At.Off += 4 },
		"no sign":             func(k *certificate.Container) { k.Numbers[0].Signed = false },
		"long":                func(k *certificate.Container) { k.Numbers[0].Bits = 64 },
		"short":               func(k *certificate.Container) { k.Numbers[0].Bits = 16 },
		"the second element":  func(k *certificate.Container) { k.Arrays[0].At.Off += 8 },
		"no array":            func(k *certificate.Container) { k.Arrays = nil },
		"the same twice":      func(k *certificate.Container) { k.Arrays = append(k.Arrays, k.Arrays[0]) },
		"a state less":        func(k *certificate.Container) { k.States = k.States[:1] },
		"never in an element": func(k *certificate.Container) { k.States[1].Slots = []bool{false} },
		"not the container's": func(k *certificate.Container) { k.States[1].In = false },
		"not of any elements": func(k *certificate.Container) { k.States[0].Slots = nil },
		"also a cell": func(k *certificate.Container) {
			k.Cells = append(k.Cells, certificate.OwnCell{At: k.Arrays[0].At, Owns: true})
		},
		"a number and a cell": func(k *certificate.Container) { k.Cells = append(k.Cells, certificate.OwnCell{At: k.Numbers[0].At}) },
		"head and tail":       func(k *certificate.Container) { k.Arrays[0].Ring = &certificate.Ring{Head: 0, Tail: 0} },
		"the other way round": func(k *certificate.Container) {
			r := k.Arrays[0].Ring
			k.Arrays[0].Ring = &certificate.Ring{Head: 9}
			if r != nil {
				*k.Arrays[0].Ring = certificate.Ring{Head: r.Tail, Tail: r.Head}
			}
		},
	}
	for what, src := range map[string]string{"a stack": transferring(push, pop), "a queue": transferring(queuePut, queueTake)} {
		p := load(t, text(t, arrayHeader+src))
		r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		for name, change := range changes {
			c := copied(t, r.Certificate)
			if len(c.Transfers) != 1 || len(c.Transfers[0].Containers[0].States) != 2 {
				t.Fatalf("%s: %v", what, c.Transfers)
			}
			change(&c.Transfers[0].Containers[0])
			rep, err := scancheck.Check(t.Context(), p.Program, r.Points, c)
			if err == nil && len(rep.Refused) == 0 {
				t.Errorf("%s: nobody saw it: %s", what, name)
			}
		}
	}
}
