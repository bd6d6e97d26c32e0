package scan_test

import (
	"testing"

	"comus/internal/long"
	"comus/scan/certificate"
)

const ringHeader = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 8
#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define OWN(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_release)
#define GO pthread_create(&p, 0, put, 0); pthread_create(&g, 0, get, 0);
#define JOIN pthread_join(p, 0); pthread_join(g, 0);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int slot[N], more[N], other, less, sum; struct item { int x; char text[4]; } items[N];
_Atomic unsigned head, tail, third; atomic_size_t wide, far; atomic_int i, j; _Atomic unsigned char c1, c2; unsigned h, t, mask = N - 1, size = N;
struct ring { _Atomic unsigned head, tail; unsigned cap; int *at; int in[N]; } ring, *r;
static struct ring *make(unsigned n) {
	struct ring *x = malloc(sizeof *x); if (!x) return 0;
	x->at = malloc(n * sizeof(int)); if (!x->at) { free(x); return 0; }
	x->cap = n; atomic_init(&x->head, 0); atomic_init(&x->tail, 0); return x;
}
static int fewer(void) { return other - 6; }
static unsigned next(unsigned x) { return (x + 1) % N; }
static int full(struct ring *x) { return OWN(x->head) - LOAD(x->tail) == x->cap; }
static int empty(struct ring *x) { return LOAD(x->head) == OWN(x->tail); }
static void some(int n) { while (n--) { unsigned k = head; if (k - tail < N) { slot[k % N] = n; head = k + 1; } } }
static void late(struct ring *x, unsigned k, int v) { STORE(x->head, k + 1); x->at[k % x->cap] = v; }
static void early(struct ring *x, unsigned k, int v) { x->at[k % x->cap] = v; STORE(x->head, k + 1); }
static void twice(struct ring *x) { x->at[OWN(x->head) % x->cap] = 1; STORE(x->head, OWN(x->head) + 1); x->at[OWN(x->head) % x->cap] = 2; }
static void begin(struct ring *x) { x->cap = N; atomic_store(&x->head, 0); x->tail = 0; }
static void more_in(void) { if (head - tail < N) head = head + 1; }
static void ends(int *x) { more_in(); }
static void nothing(int *x) { *x = 1; }
static void set(int *to, int v) { *to = v; }
static void fill(struct ring *x, unsigned k, int v) { x->at[k % x->cap] = v; }
`

// ringed are what a producer and a consumer do, in functions that may return 0, and what main does before it creates them, GO, and then.
var ringed = []struct {
	name, put, get, main string
	free                 bool
}{
	{"two counters", "unsigned k = OWN(head), l = LOAD(tail); if (k - l >= N) continue; slot[k % N] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", true},
	{"sequentially consistent", "unsigned k = head; if (k - tail < N) { slot[k % N] = 1; head = k + 1; }", "unsigned l = tail; if (head != l) { sum += slot[l % N]; tail = l + 1; }", "GO JOIN", true},
	{"added to", "if (head - tail != N) { slot[head % N] = 1; head++; }", "if (head - tail > 0) { sum += slot[tail & (N - 1)]; tail++; }", "GO", true},
	{"they wait", "unsigned k = OWN(head); while (k - LOAD(tail) == N) ; slot[k & (N - 1)] = 1; atomic_fetch_add_explicit(&head, 1, memory_order_release);", "unsigned l = OWN(tail); while (LOAD(head) == l) ; sum += slot[l & (N - 1)]; STORE(tail, l + 1);", "GO", true},
	{"do while", "unsigned k = OWN(head), l; do { l = LOAD(tail); } while (k == l + N); slot[k % N] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail), k; do k = LOAD(head); while (k == l); sum += slot[l % N]; STORE(tail, 1 + l);", "GO", true},
	{"a break", "unsigned k = OWN(head); for (;;) { if (k < LOAD(tail) + N) break; } slot[k % N] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail); for (;;) { if (l < LOAD(head)) break; } sum += slot[l % N]; STORE(tail, l + 1);", "GO", true},
	{"wide counters", "size_t k = wide; if (k - far >= N) return 0; slot[k % N] = 1; wide = k + 1;", "size_t l = far; if (wide == l) return 0; sum += slot[l % N]; far = l + 1;", "GO", true},
	{"of signed types", "int k = i; if (k - j == N) continue; slot[k % N] = 1; i = k + 1;", "int l = j; if (i - l <= 0) continue; sum += slot[l % N]; j = l + 1;", "GO", true},
	{"members, on the heap", "unsigned k = OWN(r->head); if (k - LOAD(r->tail) >= r->cap) continue; r->at[k % r->cap] = 1; STORE(r->head, k + 1);", "unsigned l = OWN(r->tail); if (l == LOAD(r->head)) continue; sum += r->at[l % r->cap]; STORE(r->tail, l + 1);", "r = make(other); GO JOIN free(r->at); free(r);", true},
	{"with conditions in functions", "if (full(r)) continue; r->at[OWN(r->head) % r->cap] = 1; STORE(r->head, OWN(r->head) + 1);", "if (!empty(r)) { sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1); }", "r = make(other); GO", true},
	{"with an access in a function", "if (full(r)) continue; fill(r, OWN(r->head), 1); STORE(r->head, OWN(r->head) + 1);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", true},
	{"not some elements, which are fewer than there may be", "if (head - tail < N) { slot[head % N] = 1; head++; } if (head - tail != 2) slot[head % N] = 2;", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"not some elements, and one is put", "if (head - tail != 2) { slot[head % N] = 1; head++; } if (head - tail != N) { slot[head % N] = 1; head++; }", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"not some elements, the other way round", "if (head != tail + 2) { slot[head % N] = 1; head++; } if (head != tail + N) { slot[head % N] = 1; head++; }", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"not all elements, twice", "if (head - tail != N) { slot[head % N] = 1; head++; } if (head != tail + N) { slot[head % N] = 1; head++; }", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", true},
	{"fewer elements, twice", "if (head - tail < 2) { slot[head % N] = 1; head++; } if (head - tail < N) { slot[head % N] = 1; head++; }", "unsigned l = OWN(tail), k = LOAD(head); if (k == l) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", true},
	{"indexes", "unsigned k = OWN(head), n = (k + 1) % N; if (n == LOAD(tail)) continue; slot[k] = 1; STORE(head, n);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l]; STORE(tail, (l + 1) % N);", "GO", true},
	{"indexes, by a function", "unsigned k = OWN(head); if (next(k) != LOAD(tail)) { slot[k] = 1; STORE(head, next(k)); }", "unsigned l = OWN(tail); if (l != LOAD(head)) { sum += slot[l]; STORE(tail, next(l)); }", "GO", true},
	{"indexes, masked, members of structs", "unsigned k = OWN(head), n = (k + 1) & (N - 1); if (n == LOAD(tail)) continue; items[k].x = 1; items[k].text[1] = 'x'; STORE(head, n);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; struct item y = items[l]; sum += y.x; STORE(tail, (l + 1) & (N - 1));", "GO", true},
	{"a ring of rings' memory", "unsigned k = ring.head; if (k - ring.tail >= N) continue; ring.in[k % N] = 1; ring.head = k + 1;", "unsigned l = ring.tail; if (ring.head == l) continue; sum += ring.in[l % N]; ring.tail = l + 1;", "GO", true},
	{"a local of main's", "struct ring *q = r; unsigned k = q->head; if (k - q->tail >= N) continue; q->in[k % N] = 1; q->head = k + 1;", "struct ring *q = r; unsigned l = q->tail; if (q->head == l) continue; sum += q->in[l % N]; q->tail = l + 1;", "struct ring own; atomic_init(&own.head, 0); atomic_init(&own.tail, 0); r = &own; GO JOIN", true},
	{"counters under a lock", "pthread_mutex_lock(&m); unsigned k = h, l = t; pthread_mutex_unlock(&m); if (k - l >= N) continue; slot[k % N] = 1; pthread_mutex_lock(&m); h = k + 1; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); unsigned l = t, k = h; pthread_mutex_unlock(&m); if (k == l) continue; sum += slot[l % N]; pthread_mutex_lock(&m); t = l + 1; pthread_mutex_unlock(&m);", "GO", true},
	{"main puts in", "", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "pthread_create(&g, 0, get, 0); for (int n = 0; n < 50; n++) { unsigned k = head; if (k - tail < N) { slot[k % N] = n; head = k + 1; } }", true},
	{"main has put in before", "", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "some(3); pthread_create(&g, 0, get, 0); some(50);", true},
	{"by calloc", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = calloc(1, sizeof *r); GO", true},
	{"set by a function", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = malloc(sizeof *r); begin(r); GO", true},
	{"cleared by a function, which is called too late", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = malloc(sizeof *r); pthread_create(&p, 0, put, 0); begin(r); pthread_create(&g, 0, get, 0);", false},
	{"cleared again between", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = calloc(1, sizeof *r); pthread_create(&p, 0, put, 0); pthread_join(p, 0); begin(r); pthread_create(&g, 0, get, 0);", true},
	{"main clears one of them when it has put in", "", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "some(3); tail = 0; pthread_create(&g, 0, get, 0); some(50);", true},
	{"main clears it between the condition and the access", "", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "some(3); unsigned k = head; if (k - tail < N) { head = 0; pthread_create(&g, 0, get, 0); slot[k % N] = 1; head = k + 1; }", false},
	{"a smaller ring than its array", "unsigned k = head; if (k - tail >= 4) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", true},

	{"one too many", "unsigned k = head; if (k - tail > N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"a larger ring than its array", "unsigned k = head; if (k - tail >= N + 1) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"nobody looks whether it is full", "unsigned k = head; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"nobody looks whether it is empty", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"the condition is of another time", "if (head - tail >= N) continue; head++; slot[head % N] = 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"stored too early", "unsigned k = head; if (k - tail >= N) continue; head = k + 1; slot[k % N] = 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"taken out too early", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; tail = l + 1; sum += slot[l % N];", "GO", false},
	{"an address that is kept", "unsigned k = head; if (k - tail >= N) continue; int *q = &slot[k % N]; *q = 1; head = k + 1; *q = 2;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"relaxed instead of release", "unsigned k = OWN(head); if (k - LOAD(tail) >= N) continue; slot[k % N] = 1; atomic_store_explicit(&head, k + 1, memory_order_relaxed);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"added to, relaxed", "unsigned k = OWN(head); if (k - LOAD(tail) >= N) continue; slot[k % N] = 1; atomic_fetch_add_explicit(&head, 1, memory_order_acquire);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"relaxed instead of acquire", "unsigned k = OWN(head); if (k - LOAD(tail) >= N) continue; slot[k % N] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail); if (l == OWN(head)) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"the producer's is relaxed", "unsigned k = OWN(head); if (k - OWN(tail) >= N) continue; slot[k % N] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l % N]; STORE(tail, l + 1);", "GO", false},
	{"two producers", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "pthread_create(&p, 0, put, 0); GO", false},
	{"two consumers", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "for (int n = 0; n < 2; n++) pthread_create(&g, 0, get, 0); pthread_create(&p, 0, put, 0);", false},
	{"main puts in, too", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO put(0);", false},
	{"main empties it", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO head = 0; tail = 0;", false},
	{"main looks into it", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO sum += slot[2];", false},
	{"it does not begin with 0", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "tail = 3; GO", false},
	{"it begins with anything", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = malloc(sizeof *r); atomic_init(&r->head, 0); GO", false},
	{"it begins in some cases", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = malloc(sizeof *r); atomic_init(&r->head, 0); if (other) atomic_init(&r->tail, 0); GO", false},
	{"it begins too late", "unsigned k = r->head; if (k - r->tail >= N) continue; r->in[k % N] = 1; r->head = k + 1;", "unsigned l = r->tail; if (r->head == l) continue; sum += r->in[l % N]; r->tail = l + 1;", "r = malloc(sizeof *r); atomic_init(&r->head, 0); pthread_create(&p, 0, put, 0); atomic_init(&r->tail, 0); pthread_create(&g, 0, get, 0);", false},
	{"a counter of a byte", "unsigned char k = c1; if (k - c2 >= N) continue; slot[k % N] = 1; c1 = k + 1;", "unsigned char l = c2; if (c1 == l) continue; sum += slot[l % N]; c2 = l + 1;", "GO", false},
	{"by two", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 2;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"in some cases by two", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1; if (other) head = k + 2;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"another size", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % (N - 1)]; tail = l + 1;", "GO", false},
	{"another array", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1; more[k % N] = 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1; sum += more[tail % N];", "GO", false},
	{"a mask that is none", "unsigned k = head; if (k - tail >= 6) continue; slot[k & 5] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l & 5]; tail = l + 1;", "GO", false},
	{"a mask in a variable", "unsigned k = head; if (k - tail >= size) continue; slot[k & mask] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l & mask]; tail = l + 1;", "GO", false},
	{"the size changes", "unsigned k = head; if (k - tail >= size) continue; slot[k % size] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % size]; tail = l + 1;", "size = 4; GO JOIN", true},
	{"the size changes meanwhile", "pthread_mutex_lock(&m); unsigned s = size; pthread_mutex_unlock(&m); unsigned k = head; if (k - tail >= s) continue; slot[k % s] = 1; head = k + 1;", "pthread_mutex_lock(&m); unsigned s = size; pthread_mutex_unlock(&m); unsigned l = tail; if (head == l) continue; sum += slot[l % s]; tail = l + 1;", "GO pthread_mutex_lock(&m); size = 5; pthread_mutex_unlock(&m);", false},
	{"the next element, too", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; slot[(k + 1) % N] = 0; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"both halves of an item", "unsigned k = head; if (k - tail >= N) continue; items[k % N].x = 1; (&items[k % N].x)[other] = 2; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += items[l % N].x; tail = l + 1;", "GO", false},
	{"the wrong counter is asked", "unsigned k = head; if (k - third >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1; third = l;", "GO", false},
	{"counters that are the same", "unsigned k = head; if (k - head >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (tail == l + 1) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"what was looked at before it went round", "unsigned k = head, l = tail; for (int n = 0; n < 3; n++) { k = head; if (other || k - l < N) { slot[k % N] = 1; head = k + 1; } }", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"indexes: full is one too late", "unsigned k = OWN(head); if (k == LOAD(tail) && other) continue; slot[k] = 1; STORE(head, next(k));", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l]; STORE(tail, next(l));", "GO", false},
	{"indexes: of another size", "unsigned k = OWN(head); if (next(k) == LOAD(tail)) continue; slot[k] = 1; STORE(head, next(k));", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l]; STORE(tail, (l + 1) % (N - 1));", "GO", false},
	{"indexes: of another size in the condition", "unsigned k = OWN(head); if ((k + 1) % (N - 1) == LOAD(tail)) continue; slot[k] = 1; STORE(head, next(k));", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l]; STORE(tail, next(l));", "GO", false},
	{"indexes that are not taken modulo anything", "unsigned k = OWN(head); if (next(k) == LOAD(tail)) continue; slot[k] = 1; STORE(head, k + 1);", "unsigned l = OWN(tail); if (l == LOAD(head)) continue; sum += slot[l]; STORE(tail, next(l));", "GO", false},
	{"a second round", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "for (int n = 0; n < 2; n++) { GO JOIN head = 0; }", false},
	{"the consumer gives one back", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1; if (other) tail = l;", "GO", false},
	{"an access in a function, after the counter", "if (full(r)) continue; unsigned k = OWN(r->head); STORE(r->head, k + 1); fill(r, k, 1);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", false},
	{"a function is given another number", "if (full(r)) continue; fill(r, OWN(r->head), 1); fill(r, OWN(r->tail), 1); STORE(r->head, OWN(r->head) + 1);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", false},
	{"the counter is stored to in the function", "if (full(r)) continue; late(r, OWN(r->head), 1);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", false},
	{"the function does all of it", "if (full(r)) continue; early(r, OWN(r->head), 1);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", true},
	{"it is full if it has as many as a number that may be negative", "int k = i; if (k - j == other) continue; slot[k % other] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[l % other]; j = l + 1;", "GO", false},
	{"it is full if it has as many as a number that may be negative, or more", "int k = i; if (k - j >= other) continue; slot[k % other] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[l % other]; j = l + 1;", "GO", true},
	{"such a number in a wider type", "int k = i; if ((size_t)k - (size_t)j >= other) continue; slot[k % other] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[l % other]; j = l + 1;", "GO", false},
	{"such a number that is a sum, in a wider type", "int k = i; if ((size_t)k - (size_t)j >= less) continue; slot[k % less] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[l % less]; j = l + 1;", "less = other - 6; GO", false},
	{"such a number that a function returns, in a wider type", "unsigned k = head; if ((size_t)k - tail >= less) continue; slot[(size_t)k % less] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[(size_t)l % less]; tail = l + 1;", "less = fewer(); GO", false},
	{"such a number that is a sum", "int k = i; if (k - j >= less) continue; slot[k % less] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[l % less]; j = l + 1;", "less = other - 6; GO", true},
	{"counters in a wider type", "int k = i; if ((size_t)k - (size_t)j >= N) continue; slot[(size_t)k % N] = 1; i = k + 1;", "int l = j; if (i == l) continue; sum += slot[(size_t)l % N]; j = l + 1;", "GO", true},
	{"the function accesses the next one, too", "if (full(r)) continue; twice(r);", "if (empty(r)) continue; sum += r->at[OWN(r->tail) % r->cap]; STORE(r->tail, OWN(r->tail) + 1);", "r = make(4); GO", false},
	{"the producer has begun when it is cleared", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "pthread_create(&p, 0, put, 0); head = 0; pthread_create(&g, 0, get, 0);", false},
	{"the consumer has begun when it is cleared", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "pthread_create(&g, 0, get, 0); head = 0; pthread_create(&p, 0, put, 0);", false},
	{"main skips an element", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO unsigned k = head; if (k - tail < N) head = k + 1;", false},
	{"main empties it when the producer has ended", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO pthread_join(p, 0); atomic_store_explicit(&head, 0, memory_order_relaxed);", false},
	{"the counter is stored to when the comparison is made", "if (({ __attribute__((cleanup(ends))) int x = 0; (_Bool)(head - tail < N); })) { slot[head % N] = 1; more_in(); }", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"something else is done when the comparison is made", "if (({ __attribute__((cleanup(nothing))) int x = 0; (_Bool)(head - tail < N); })) { slot[head % N] = 1; more_in(); }", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", true},
	{"what is one too small is made wider", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail, k = head; if ((size_t)(k - l - 1) + 1 == 0) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"what is one too small is made wider, and signed", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail, k = head; if ((long)(k - l - 1) + 1 > 0) { sum += slot[l % N]; tail = l + 1; }", "GO", false},
	{"a counter that is one too small is made wider", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if ((size_t)(l - 1) + 1 == (size_t)head) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"a counter that is taken from 0 is made wider", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if ((size_t)(0 - l) + head == 0) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"an index that is one too small is made wider", "unsigned k = head; if (k - tail >= 7) continue; slot[k % 7] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[((size_t)(l - 1) + 1) % 7]; tail = l + 1;", "GO", false},
	{"a difference is made wider", "unsigned k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail, k = head; if ((size_t)(k - l) + 1 > 1) { sum += slot[(size_t)l % N]; tail = l + 1; }", "GO", true},
	{"a difference of signed numbers that is one too small is made wider", "int k = i; if (k - j == N) continue; slot[k % N] = 1; i = k + 1;", "int l = j, k = i; if ((long)(k - l - 1) + 1 <= 0) continue; sum += slot[l % N]; j = l + 1;", "GO", true},
	{"the access is behind a weaker condition", "unsigned k = head; if (k - tail >= 2 * N) continue; slot[k % N] = 1; if (k - tail >= N) continue; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1;", "GO", false},
	{"two rings, one for both", "unsigned k = ring.head; if (k - ring.tail >= N) continue; slot[k % N] = 1; ring.head = k + 1; k = head; if (k - tail >= N) continue; slot[k % N] = 1; head = k + 1;", "unsigned l = tail; if (head == l) continue; sum += slot[l % N]; tail = l + 1; l = ring.tail; if (ring.head == l) continue; ring.tail = l + 1;", "GO", false},
}

// rings is a program with a producer and a consumer.
func rings(put, get, main string) string {
	src := ringHeader
	for _, f := range [][2]string{{"put", put}, {"get", get}} {
		src += "static void *" + f[0] + "(void *arg) { for (int n = 0; n < 99; n++) { " + f[1] + " } return 0; }\n"
	}
	return src + "int main(int argc, char **argv) { pthread_t p, g; other = argc; " + main + " return 0; }\n"
}

// TestRings has threads that access elements of a ring: what is free is certified, and of the rest a certificate that says it was is refused.
func TestRings(t *testing.T) {
	for i, c := range ringed {
		if !long.Turn(i, 5) {
			continue
		}
		forges(t, c.name, rings(c.put, c.get, c.main), certificate.Apart, c.free)
	}
}
