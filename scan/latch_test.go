package scan_test

import (
	"testing"

	"comus/internal/long"
	"comus/scan/certificate"
)

const latchHeader = `#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
#define UP LOCK alive++; UNLOCK
#define DOWN LOCK alive--; UNLOCK
#define WAIT LOCK while (alive != 0) pthread_cond_wait(&c, &m); UNLOCK
#define MAKE pthread_create(&id, 0, f, 0);
#define MAKE0 pthread_create(&id, 0, f, 0)
#define EACH2 for (int i = 0; i < 3; i++)
#define EACH for (int i = 0; i < n; i++)
#define DATA pthread_mutex_lock(&d); data = 1; pthread_mutex_unlock(&d);
#define STOP pthread_mutex_lock(&k); go = false; pthread_mutex_unlock(&k);
#define GO (pthread_mutex_lock(&k), on = go, pthread_mutex_unlock(&k), on)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int three = 3, alive, more, data, data2, *heap; unsigned count; unsigned char small; atomic_int pending; atomic_uint left; _Atomic bool run = true; bool go = true, ready; int told = 1; __int128 wide = 1;
struct pool { pthread_mutex_t m; pthread_cond_t c; int alive, data; } pool = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }, *at;
static void up(void) { UP }
static void down(void) { DOWN }
static void wait_all(void) { WAIT }
static int living(void) { LOCK int x = alive; UNLOCK return x; }
static bool none(void) { LOCK bool x = alive == 0; UNLOCK return x; }
static bool never(void) { LOCK bool x = alive == 0 || data2; UNLOCK return x; }
static void enter(struct pool *p) { pthread_mutex_lock(&p->m); p->alive++; pthread_mutex_unlock(&p->m); }
static void leave(struct pool *p) { pthread_mutex_lock(&p->m); if (--p->alive == 0) pthread_cond_broadcast(&p->c); pthread_mutex_unlock(&p->m); }
static void drain(struct pool *p) { pthread_mutex_lock(&p->m); while (p->alive > 0) pthread_cond_wait(&p->c, &p->m); pthread_mutex_unlock(&p->m); }
static void adjust(struct pool *p, int by) { pthread_mutex_lock(&p->m); p->alive += by; pthread_cond_broadcast(&p->c); pthread_mutex_unlock(&p->m); }
static void lessen(int by) { LOCK alive -= by; UNLOCK }
static void turned(int by) { by = -by; LOCK alive += by; UNLOCK }
static void (*hook)(struct pool *, int) = adjust;
static void wait_for(int k) { LOCK while (alive != k) pthread_cond_wait(&c, &m); UNLOCK }
static void wait_more(struct pool *p, int k) { pthread_mutex_lock(&p->m); while (p->alive < k) pthread_cond_wait(&p->c, &p->m); pthread_mutex_unlock(&p->m); }
static int tell(void) { pthread_mutex_lock(&k); int x = told; pthread_mutex_unlock(&k); return x; }
static void say(int x) { pthread_mutex_lock(&k); told = x; pthread_mutex_unlock(&k); }
#define SAY(x) pthread_mutex_lock(&k); told = x; pthread_mutex_unlock(&k);
#define ALL LOCK while (alive < n) pthread_cond_wait(&c, &m); UNLOCK
static void *f(void *arg);
static void *g(void *arg);
`

// latched are what threads do, what others (g) do, and what main does.
var latched = []struct {
	name, f, g, main string
	free             bool
}{
	{"counted before each creation", "DATA DOWN", "", "EACH { UP MAKE } WAIT data2 = data;", true},
	{"written afterwards", "DATA DOWN", "", "EACH { UP MAKE } WAIT data = 2; data2 = data;", true},
	{"counted at once", "DATA DOWN", "", "LOCK alive = n; UNLOCK EACH MAKE WAIT data = 2;", true},
	{"counted at once, before there are threads", "DATA DOWN", "", "alive = n; EACH MAKE WAIT data = 2;", true},
	{"a constant number", "DATA DOWN", "", "alive = 3; for (int i = 0; i < 3; i++) MAKE WAIT data = 2;", true},
	{"two kinds, a constant number", "DATA DOWN", "DATA DOWN", "alive = 2; MAKE pthread_create(&id, 0, g, 0); WAIT data = 2;", true},
	{"one by one", "DATA DOWN", "DATA DOWN", "UP MAKE UP pthread_create(&id, 0, g, 0); WAIT data = 2;", true},
	{"polling", "DATA DOWN", "", "EACH { UP MAKE } for (;;) { LOCK int x = alive; UNLOCK if (!x) break; } data = 2;", true},
	{"do while", "DATA DOWN", "", "EACH { UP MAKE } int x; do { LOCK x = alive; UNLOCK } while (x > 0); data = 2;", true},
	{"helpers", "DATA down();", "", "EACH { up(); MAKE } wait_all(); data = 2;", true},
	{"a helper that tells how many", "DATA down();", "", "EACH { up(); MAKE } while (living() > 0) ; data = 2;", true},
	{"a helper that tells whether", "DATA down();", "", "EACH { up(); MAKE } while (!none()) ; data = 2;", true},
	{"members of a global", "DATA pthread_mutex_lock(&pool.m); pool.alive--; pthread_mutex_unlock(&pool.m);", "", "EACH { enter(&pool); MAKE } drain(&pool); data = 2;", true},
	{"members by a pointer", "DATA leave(&pool);", "", "EACH { enter(&pool); MAKE } drain(&pool); data = 2;", true},
	{"atomic", "DATA pending--;", "", "EACH { pending++; MAKE } while (pending) ; data = 2;", true},
	{"atomic, released and acquired", "DATA atomic_fetch_sub_explicit(&pending, 1, memory_order_release);", "", "EACH { atomic_fetch_add_explicit(&pending, 1, memory_order_relaxed); MAKE } while (atomic_load_explicit(&pending, memory_order_acquire) > 0) ; data = 2;", true},
	{"atomic and unsigned", "DATA atomic_fetch_sub(&left, 1);", "", "EACH { atomic_fetch_add(&left, 1); MAKE } while (left != 0) ; data = 2;", true},
	{"atomic, at once", "DATA pending--;", "", "atomic_store(&pending, n); EACH MAKE while (pending) ; data = 2;", true},
	{"not signed", "DATA LOCK count -= 1; UNLOCK", "", "EACH { LOCK count += 1; UNLOCK MAKE } for (;;) { LOCK unsigned x = count; UNLOCK if (x == 0) break; } data = 2;", true},
	{"in rounds", "DATA DOWN", "", "for (int r = 0; r < 3; r++) { EACH { UP MAKE } WAIT data = r; }", true},
	{"in rounds, at once", "DATA DOWN", "", "for (int r = 0; r < 3; r++) { UP UP MAKE MAKE WAIT data = r; }", true},
	{"two latches", "DATA DOWN", "data2 = 1; LOCK more--; UNLOCK", "EACH { UP MAKE } LOCK more++; UNLOCK pthread_create(&id, 0, g, 0); WAIT data = 2; LOCK while (more) pthread_cond_wait(&c, &m); UNLOCK data2 = 1;", true},
	{"freed afterwards", "pthread_mutex_lock(&d); *heap = 1; pthread_mutex_unlock(&d); DOWN", "", "heap = malloc(4); EACH { UP MAKE } WAIT free(heap);", true},
	{"on several ways", "if (data2) { DOWN return 0; } DATA DOWN", "", "EACH { UP MAKE } WAIT data = 2;", true},
	{"main has a share, too", "DATA DOWN", "", "alive = 1; EACH { UP MAKE } DOWN WAIT data = 2;", true},
	{"one creates another one", "UP pthread_create(&id, 0, g, 0); DATA DOWN", "DATA DOWN", "UP MAKE WAIT data = 2;", true},
	{"it leaves its share", "pthread_create(&id, 0, g, 0);", "DATA DOWN", "UP MAKE WAIT data = 2;", true},
	{"what is counted is looked at in between", "DATA LOCK if (alive > 1) data2 = 1; alive--; UNLOCK", "", "EACH { UP MAKE } WAIT data = 2;", true},
	{"threads count themselves, all are seen", "UP DATA DOWN", "", "EACH MAKE LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", true},
	{"threads count themselves, more are waited for", "UP DATA DOWN", "", "EACH MAKE LOCK while (alive < n) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", true},
	{"threads count themselves, two of them", "UP DATA DOWN", "", "MAKE MAKE for (;;) { LOCK int x = alive; UNLOCK if (x == 2) break; } WAIT data = 2;", true},
	{"atomic, threads count themselves", "pending++; DATA pending--;", "", "EACH MAKE while (pending != n) ; while (pending) ; data = 2;", true},
	{"a flag", "UP if (GO) { DATA } DOWN", "", "EACH MAKE STOP WAIT data = 2;", true},
	{"a flag in a loop", "UP while (GO) { DATA } DOWN", "", "EACH MAKE STOP WAIT data = 2;", true},
	{"a flag that is a number", "UP pthread_mutex_lock(&k); int x = told; pthread_mutex_unlock(&k); if (x == 1) { DATA } DOWN", "", "EACH MAKE pthread_mutex_lock(&k); told = 0; pthread_mutex_unlock(&k); WAIT data = 2;", true},
	{"a flag under the same lock", "LOCK if (!go) { UNLOCK return 0; } alive++; UNLOCK LOCK bool y = go; UNLOCK if (y) { DATA } DOWN", "", "EACH MAKE LOCK go = false; UNLOCK WAIT data = 2;", true},
	{"a flag in a helper", "up(); if (GO) { DATA } down();", "", "EACH MAKE STOP while (!none()) ; data = 2;", true},
	{"a flag, set again afterwards", "UP if (GO) { DATA } DOWN", "", "for (int r = 0; r < 3; r++) { EACH MAKE STOP WAIT data = 2; pthread_mutex_lock(&k); go = true; pthread_mutex_unlock(&k); }", true},
	{"the number is set again", "DATA DOWN", "", "for (int r = 0; r < 3; r++) { LOCK alive = 2; UNLOCK MAKE MAKE WAIT data = r; }", true},
	{"a creation that fails is counted back", "DATA DOWN", "", "EACH { UP if (MAKE0) { DOWN } } WAIT data = 2;", true},
	{"a creation that fails, by a local", "DATA DOWN", "", "EACH { UP int rc = MAKE0; if (rc != 0) { down(); break; } } WAIT data = 2;", true},
	{"an object that there is one of", "DATA leave(at);", "", "at = malloc(sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); at->alive = 0; EACH { enter(at); MAKE } drain(at); data = 2;", true},
	{"an object of main's", "DATA leave(at);", "", "struct pool mine; pthread_mutex_init(&mine.m, 0); pthread_cond_init(&mine.c, 0); mine.alive = 0; at = &mine; EACH { enter(&mine); MAKE } drain(&mine); data = 2;", true},
	{"another one waits", "DATA DOWN", "EACH2 { UP pthread_create(&id, 0, f, 0); } WAIT data = 2;", "pthread_create(&id, 0, g, 0);", true},
	{"counted down by less than none", "DATA LOCK alive += -1; UNLOCK", "", "EACH { UP MAKE } WAIT data = 2;", true},
	{"compared the other way round", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (0 < alive) pthread_cond_wait(&c, &m); UNLOCK data = 2;", true},
	{"it begins with a number", "DATA LOCK three--; UNLOCK", "", "for (int i = 0; i < 3; i++) MAKE for (;;) { LOCK int x = three; UNLOCK if (!x) break; } data = 2;", true},
	{"it begins with a number, one by one", "DATA LOCK three--; UNLOCK", "DATA LOCK three--; UNLOCK", "MAKE pthread_create(&id, 0, g, 0); LOCK three--; while (three) pthread_cond_wait(&c, &m); UNLOCK data = 2;", true},
	{"joined, too", "DATA DOWN", "", "pthread_t ids[3]; for (int i = 0; i < 3; i++) { UP pthread_create(&ids[i], 0, f, 0); } WAIT data = 2; for (int i = 0; i < 3; i++) pthread_join(ids[i], 0);", true},
	{"it ends otherwise", "DATA DOWN pthread_exit(0);", "", "EACH { UP MAKE } WAIT data = 2;", true},
	{"counted up in the end", "DATA UP", "", "EACH MAKE ALL data = 2;", true},
	{"counted up in the end, exactly", "DATA LOCK alive += 1; UNLOCK", "", "EACH MAKE LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK data = 2;", true},
	{"counted up in the end, a constant number", "DATA UP", "DATA UP", "MAKE MAKE pthread_create(&id, 0, g, 0); for (;;) { LOCK int x = alive; UNLOCK if (x == 3) break; } data = 2;", true},
	{"counted up in the end, atomic", "DATA pending++;", "", "EACH MAKE while (pending < n) ; data = 2;", true},
	{"counted up in the end, released and acquired", "DATA atomic_fetch_add_explicit(&left, 1, memory_order_release);", "", "for (int i = 0; i < 3; i++) MAKE while (atomic_load_explicit(&left, memory_order_acquire) != 3) ; data = 2;", true},
	{"counted up in the end, on several ways", "if (data2) { up(); return 0; } DATA up();", "", "EACH MAKE wait_for(n); data = 2;", true},
	{"counted up in the end, freed afterwards", "pthread_mutex_lock(&d); *heap = 1; pthread_mutex_unlock(&d); UP", "", "heap = malloc(4); EACH MAKE ALL free(heap);", true},
	{"a number that is computed", "DATA UP", "", "int many = 1 + argc % 4; for (int i = 0; i < many; i++) MAKE LOCK while (alive < many) pthread_cond_wait(&c, &m); UNLOCK data = 2;", true},
	{"a number that is computed, and set", "DATA DOWN", "", "int many = three * argc; alive = many; for (int i = 0; i < many; i++) MAKE WAIT data = 2;", true},
	{"a number of calloc's", "DATA enter(at);", "", "at = calloc(1, sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); EACH MAKE wait_more(at, n); data = 2;", true},
	{"a number of calloc's is set", "DATA leave(at);", "", "at = calloc(1, sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); at->alive = n; EACH MAKE drain(at); data = 2;", true},
	{"by what a helper is given", "DATA adjust(&pool, -1);", "", "EACH { adjust(&pool, 1); MAKE } drain(&pool); data = 2;", true},
	{"less by what a helper is given", "DATA lessen(1);", "", "EACH { lessen(-1); MAKE } wait_for(0); data = 2;", true},
	{"by what a helper is given, all are seen", "adjust(&pool, +1); DATA adjust(&pool, -1);", "", "EACH MAKE wait_more(&pool, n); drain(&pool); data = 2;", true},
	{"a flag that becomes 1", "UP pthread_mutex_lock(&k); bool y = ready; pthread_mutex_unlock(&k); if (!y) { DATA } DOWN", "", "EACH MAKE pthread_mutex_lock(&k); ready = true; pthread_mutex_unlock(&k); WAIT data = 2;", true},
	{"a flag of several numbers", "UP if (tell() != 2) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", true},
	{"a flag of several numbers, one of them", "UP while (tell() == 1) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", true},
	{"a flag of several numbers, less", "UP while (tell() < 2) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", true},
	{"a flag of several numbers, set twice", "UP if (tell() == 1) { DATA } DOWN", "", "EACH MAKE SAY(3) SAY(2) WAIT data = 2;", true},
	{"a list of own elements", "UP if (GO) { int *x = malloc(4); *x = 1; pthread_mutex_lock(&d); heap = x; pthread_mutex_unlock(&d); } DOWN", "", "EACH MAKE STOP WAIT if (heap) data = *heap;", true},

	{"counted up in the end, one too few", "DATA UP", "", "EACH MAKE LOCK while (alive < n - 1) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"counted up in the end, one is enough", "DATA UP", "", "EACH MAKE LOCK while (alive == 0) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"counted up in the end, no more than", "DATA UP", "", "EACH MAKE LOCK while (alive > n) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"counted up, then the access", "UP DATA", "", "EACH MAKE ALL data = 2;", false},
	{"counted up, then another access", "DATA UP DATA", "", "EACH MAKE ALL data = 2;", false},
	{"counted up twice on a way", "if (data2) { UP } DATA UP", "", "EACH MAKE ALL data = 2;", false},
	{"counted up in a loop", "EACH2 { DATA UP }", "", "EACH MAKE ALL data = 2;", false},
	{"counted up in the end, main counts, too", "DATA UP", "", "UP EACH MAKE ALL data = 2;", false},
	{"counted up in the end, one thread more", "DATA UP", "", "MAKE EACH MAKE ALL data = 2;", false},
	{"counted up in the end, two kinds", "DATA UP", "DATA UP", "pthread_create(&id, 0, g, 0); EACH MAKE ALL data = 2;", false},
	{"counted up in the end, others do not", "DATA UP", "DATA", "pthread_create(&id, 0, g, 0); EACH MAKE ALL data = 2;", false},
	{"counted up in the end, it begins with 1", "DATA UP", "", "alive = 1; EACH MAKE ALL data = 2;", false},
	{"counted up in the end, set to 1", "DATA UP", "", "EACH MAKE LOCK alive = 1; UNLOCK ALL data = 2;", false},
	{"counted up in the end, before the wait", "DATA UP", "", "EACH MAKE data = 2; ALL", false},
	{"counted up in the end, waited for too early", "DATA UP", "", "n = 0; ALL n = argc; EACH MAKE data = 2;", false},
	{"counted up in the end, in rounds", "DATA UP", "", "for (int r = 0; r < 2; r++) { EACH MAKE ALL data = 2; }", false},
	{"counted up in the end, relaxed", "DATA atomic_fetch_add_explicit(&pending, 1, memory_order_relaxed);", "", "EACH MAKE while (pending < n) ; data = 2;", false},
	{"counted up in the end, acquired", "DATA atomic_fetch_add_explicit(&pending, 1, memory_order_acquire);", "", "EACH MAKE while (pending < n) ; data = 2;", false},
	{"counted up in the end, read relaxed", "DATA pending++;", "", "EACH MAKE while (atomic_load_explicit(&pending, memory_order_relaxed) < n) ; data = 2;", false},
	{"counted up in the end, counted down by one", "DATA UP", "UP DOWN", "pthread_create(&id, 0, g, 0); EACH MAKE ALL data = 2;", false},
	{"counted up in the end, less than none", "DATA LOCK count++; UNLOCK", "LOCK count--; UNLOCK", "pthread_create(&id, 0, g, 0); EACH MAKE for (;;) { LOCK unsigned x = count; UNLOCK if (x >= n) break; } data = 2;", false},
	{"counted up in the end by an exchange", "DATA atomic_exchange(&pending, 3);", "", "for (int i = 0; i < 3; i++) MAKE while (pending < 3) ; data = 2;", false},
	{"a number that is computed otherwise", "DATA UP", "", "int many = 1 + argc % 4; for (int i = 0; i < many; i++) MAKE LOCK while (alive < 1 + argc % 3) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"a number that is computed again", "DATA DOWN", "", "int many = three * argc; alive = many; argc++; many = three * argc; for (int i = 0; i < many; i++) MAKE WAIT data = 2;", false},
	{"a number that is computed, and made small", "DATA UP", "", "int many = 300 * argc; unsigned char few = many; for (int i = 0; i < many; i++) MAKE LOCK while (alive < few) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"a flag that is compared with more than 64 bits", "UP if ((__int128)tell() != (__int128)1 << 64) { DATA } DOWN", "", "EACH MAKE SAY(0) WAIT data = 2;", false},
	{"a flag of more than 64 bits", "UP pthread_mutex_lock(&k); __int128 x = wide; pthread_mutex_unlock(&k); if (x != 0) { DATA } DOWN", "", "EACH MAKE pthread_mutex_lock(&k); wide = (__int128)1 << 64; pthread_mutex_unlock(&k); WAIT data = 2;", false},
	{"compared with more than 64 bits", "DATA DOWN", "", "EACH { UP MAKE } for (;;) { LOCK int x = alive; UNLOCK if (x <= (__int128)1 << 64) break; } data = 2;", false},
	{"a number of calloc's, one is enough", "DATA enter(at);", "", "at = calloc(1, sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); EACH MAKE wait_more(at, 1); data = 2;", false},
	{"a number that realloc leaves", "DATA enter(at);", "", "at = calloc(1, 1); at = realloc(at, sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); EACH MAKE wait_more(at, n); data = 2;", false},
	{"by what a helper is given, by two", "DATA adjust(&pool, -2);", "", "EACH { adjust(&pool, 1); adjust(&pool, 1); MAKE } drain(&pool); data = 2;", false},
	{"by what a helper is given, none", "DATA adjust(&pool, -1);", "", "EACH { adjust(&pool, 0); MAKE } drain(&pool); data = 2;", false},
	{"by what a helper is given, too early", "adjust(&pool, -1); DATA", "", "EACH { adjust(&pool, 1); MAKE } drain(&pool); data = 2;", false},
	{"by what a helper is given, that is not known", "DATA adjust(&pool, -1);", "", "EACH { adjust(&pool, argc > 1); MAKE } drain(&pool); data = 2;", false},
	{"by what a helper is given, that is called by a pointer", "DATA adjust(&pool, -1);", "", "EACH { hook(&pool, argc - 1); MAKE } drain(&pool); data = 2;", false},
	{"what a helper is given is turned round", "DATA turned(1);", "", "EACH { turned(1); MAKE } wait_for(0); data = 2;", false},
	{"a helper waits for another number", "DATA lessen(1);", "", "EACH { lessen(-1); MAKE } wait_for(1); data = 2;", false},
	{"a flag of several numbers, another one", "UP if (tell() != 3) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", false},
	{"a flag of several numbers, not this one", "UP if (tell() != 1) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", false},
	{"a flag of several numbers, set to another one", "UP if (tell() != 2) { DATA } DOWN", "", "EACH MAKE SAY(2) SAY(3) WAIT data = 2;", false},
	{"a flag of several numbers, set to another one afterwards", "UP if (tell() != 2) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT SAY(3) data = 2;", false},
	{"a flag of several numbers, less or equal", "UP while (tell() <= 2) { DATA } DOWN", "", "EACH MAKE SAY(2) WAIT data = 2;", false},
	{"a flag of several numbers, set by a helper", "UP while (tell() == 1) { DATA } DOWN", "", "EACH MAKE say(2); WAIT say(1); data = 2;", false},
	{"a flag of several numbers, set by another thread", "UP while (tell() == 1) { DATA } DOWN", "SAY(1)", "pthread_create(&id, 0, g, 0); EACH MAKE SAY(2) WAIT data = 2;", false},
	{"a flag that becomes 1, too late", "UP pthread_mutex_lock(&k); bool y = ready; pthread_mutex_unlock(&k); if (!y) { DATA } DOWN", "", "EACH MAKE WAIT pthread_mutex_lock(&k); ready = true; pthread_mutex_unlock(&k); data = 2;", false},
	{"a flag that becomes 1, asked the other way round", "UP pthread_mutex_lock(&k); bool y = ready; pthread_mutex_unlock(&k); if (y) { DATA } DOWN", "", "EACH MAKE pthread_mutex_lock(&k); ready = true; pthread_mutex_unlock(&k); WAIT data = 2;", false},
	{"the number is set again too early", "DATA DOWN", "", "for (int r = 0; r < 3; r++) { LOCK alive = 2; UNLOCK MAKE MAKE data = r; WAIT }", false},
	{"the number is set again, threads count themselves", "UP DATA DOWN", "", "for (int r = 0; r < 3; r++) { LOCK alive = 0; UNLOCK MAKE WAIT data = r; }", false},
	{"a creation that does not fail is counted back", "DATA DOWN", "", "EACH { UP if (!MAKE0) { DOWN } } WAIT data = 2;", false},
	{"a creation that fails is counted back twice", "DATA DOWN", "", "EACH { UP if (MAKE0) { DOWN DOWN } } WAIT data = 2;", false},
	{"another creation fails", "DATA DOWN", "", "EACH { UP int rc = MAKE0; UP MAKE if (rc) { DOWN } if (rc) { DOWN } } WAIT data = 2;", false},
	{"objects that there are many of", "DATA leave(at);", "", "EACH { at = malloc(sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); at->alive = 0; enter(at); MAKE drain(at); } data = 2;", false},
	{"an object that begins with anything", "DATA leave(at);", "", "at = malloc(sizeof *at); pthread_mutex_init(&at->m, 0); pthread_cond_init(&at->c, 0); EACH { enter(at); MAKE } drain(at); data = 2;", false},
	{"an object that is copied", "DATA leave(&pool);", "", "struct pool none = pool; EACH { enter(&pool); MAKE } pool.alive = none.alive; drain(&pool); data = 2;", false},
	{"another one waits, main creates one more", "DATA DOWN", "EACH2 { UP pthread_create(&id, 0, f, 0); } WAIT data = 2;", "pthread_create(&id, 0, g, 0); UP MAKE", false},
	{"several wait", "DATA DOWN", "EACH2 { UP pthread_create(&id, 0, f, 0); } WAIT DATA data2 = 2;", "pthread_create(&id, 0, g, 0); pthread_create(&id, 0, g, 0);", false},
	{"one more that ends otherwise", "pthread_mutex_lock(&d); data = 1; if (data2) { DOWN pthread_mutex_unlock(&d); data = 3; pthread_exit(0); } pthread_mutex_unlock(&d); DOWN", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"a negative number", "DATA DOWN", "", "alive = -1; UP EACH { UP MAKE } WAIT data = 2;", false},
	{"a number that is counted before is lost", "DATA DOWN", "", "UP MAKE LOCK alive = 1; UNLOCK MAKE WAIT data = 2;", false},
	{"counted after all", "DATA DOWN", "", "alive = 0; for (int i = 0; i < 3; i++) MAKE UP UP UP WAIT data = 2;", false},
	{"counted in a helper on one way", "DATA DOWN", "", "EACH { if (i > 1) up(); MAKE } WAIT data = 2;", false},
	{"looked at by another thread", "DATA DOWN", "WAIT data = 2;", "pthread_create(&id, 0, g, 0); EACH { UP MAKE }", false},
	{"a comparison of what is one more", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (alive - 1) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"a comparison of a part", "DATA DOWN", "", "EACH { UP MAKE } LOCK while ((unsigned char)alive) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"it begins with a number, not waited for", "DATA LOCK three--; UNLOCK", "", "for (int i = 0; i < 3; i++) MAKE data = 2;", false},
	{"it begins with a number, one by one, not waited for", "DATA LOCK three--; UNLOCK", "", "MAKE data = 2; LOCK while (three) pthread_cond_wait(&c, &m); UNLOCK", false},
	{"it begins with a number that is too small", "DATA LOCK three--; UNLOCK", "", "for (int i = 0; i < 4; i++) MAKE for (;;) { LOCK int x = three; UNLOCK if (!x) break; } data = 2;", false},
	{"a creation that fails of as many as there are", "DATA DOWN", "", "alive = n; EACH { if (MAKE0) { DOWN DOWN } } WAIT data = 2;", false},
	{"a creation that fails of a number that is set", "DATA DOWN", "", "alive = n; EACH { if (MAKE0) { DOWN } } DOWN WAIT data = 2;", false},
	{"greater than a constant", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (alive >= 2) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},

	{"counted after the creation", "DATA DOWN", "", "EACH { MAKE UP } WAIT data = 2;", false},
	{"one is not counted", "DATA DOWN", "", "MAKE EACH { UP MAKE } WAIT data = 2;", false},
	{"counted once for two", "DATA DOWN", "", "EACH { UP MAKE MAKE } WAIT data = 2;", false},
	{"the access is after the count", "DOWN DATA", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"another access is after the count", "DATA DOWN DATA", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"counted down twice", "DATA DOWN DOWN", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"counted down twice on a way", "if (data2) { DOWN } DATA DOWN", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"counted down by two", "DATA LOCK alive -= 2; UNLOCK", "", "EACH { UP UP MAKE } WAIT data = 2;", false},
	{"counted down in a loop", "for (int i = 0; i < 2; i++) { DATA DOWN }", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"one is left", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (alive > 1) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"one is waited for", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (alive != 1) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"the wait is left out", "DATA DOWN", "", "EACH { UP MAKE } if (n > 3) { WAIT } data = 2;", false},
	{"the wait may end otherwise", "DATA DOWN", "", "struct timespec ts = {0}; EACH { UP MAKE } LOCK while (alive) if (pthread_cond_timedwait(&c, &m, &ts)) break; UNLOCK data = 2;", false},
	{"no loop", "DATA DOWN", "", "EACH { UP MAKE } LOCK if (alive) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"one thread too many", "DATA DOWN", "", "LOCK alive = n; UNLOCK for (int i = 0; i <= n; i++) MAKE WAIT data = 2;", false},
	{"one is counted too few", "DATA DOWN", "", "alive = n - 1; EACH MAKE WAIT data = 2;", false},
	{"the number changes", "DATA DOWN", "", "alive = n; n++; EACH MAKE WAIT data = 2;", false},
	{"a constant that is too small", "DATA DOWN", "", "alive = 2; for (int i = 0; i < 3; i++) MAKE WAIT data = 2;", false},
	{"two kinds, one is counted", "DATA DOWN", "DATA DOWN", "alive = n; EACH MAKE pthread_create(&id, 0, g, 0); WAIT data = 2;", false},
	{"two kinds, one is not counted", "DATA DOWN", "DATA", "alive = n; EACH MAKE pthread_create(&id, 0, g, 0); WAIT data = 2;", false},
	{"set while threads run", "DATA DOWN", "", "EACH { UP MAKE } LOCK alive = 0; UNLOCK WAIT data = 2;", false},
	{"set too late", "DATA DOWN", "", "EACH MAKE LOCK alive = n; UNLOCK WAIT data = 2;", false},
	{"set by another thread", "DATA DOWN", "LOCK alive = 0; UNLOCK", "pthread_create(&id, 0, g, 0); EACH { UP MAKE } WAIT data = 2;", false},
	{"cleared", "DATA DOWN", "", "EACH { UP MAKE } LOCK memset(&alive, 0, sizeof alive); UNLOCK WAIT data = 2;", false},
	{"another thread counts down", "DATA DOWN", "DOWN", "pthread_create(&id, 0, g, 0); EACH { UP MAKE } WAIT data = 2;", false},
	{"main counts down", "DATA DOWN", "", "EACH { UP MAKE } DOWN WAIT data = 2;", false},
	{"one more afterwards", "DATA DOWN", "", "EACH { UP MAKE } WAIT UP MAKE data = 2;", false},
	{"one more afterwards that is not counted", "DATA DOWN", "", "EACH { UP MAKE } WAIT MAKE data = 2;", false},
	{"before the wait", "DATA DOWN", "", "EACH { UP MAKE } data = 2; WAIT", false},
	{"waited too early", "DATA DOWN", "", "WAIT EACH { UP MAKE } data = 2;", false},
	{"waited in between", "DATA DOWN", "", "EACH { WAIT UP MAKE } data = 2;", false},
	{"what was seen is old", "DATA DOWN", "", "LOCK int x = alive; UNLOCK UP MAKE if (x == 0) data = 2;", false},
	{"a helper, what was seen is old", "DATA DOWN", "", "int x = living(); UP MAKE if (x == 0) data = 2;", false},
	{"a helper that tells something else", "DATA down();", "", "EACH { up(); MAKE } while (!never()) ; data = 2;", false},
	{"the other counter", "DATA DOWN", "", "EACH { UP MAKE } LOCK while (more) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"the counter has another lock", "DATA pthread_mutex_lock(&o); alive--; pthread_mutex_unlock(&o);", "", "EACH { UP MAKE } WAIT data = 2;", false},
	{"set to a number of threads on one way, and to 1 on another one", "DATA DOWN", "", "if (n > 1) { alive = n; EACH MAKE } else alive = 1; DOWN WAIT data = 2;", false},
	{"set to what is the largest number", "DATA LOCK count--; UNLOCK", "", "count = -1; LOCK count++; UNLOCK MAKE LOCK while (count > 0) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"a small counter", "DATA LOCK small--; UNLOCK", "", "EACH { LOCK small++; UNLOCK MAKE } LOCK while (small) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"relaxed", "DATA atomic_fetch_sub_explicit(&pending, 1, memory_order_relaxed);", "", "EACH { pending++; MAKE } while (pending) ; data = 2;", false},
	{"acquired instead of released", "DATA atomic_fetch_sub_explicit(&pending, 1, memory_order_acquire);", "", "EACH { pending++; MAKE } while (pending) ; data = 2;", false},
	{"read relaxed", "DATA pending--;", "", "EACH { pending++; MAKE } while (atomic_load_explicit(&pending, memory_order_relaxed)) ; data = 2;", false},
	{"atomic, but in two steps", "DATA int x = pending; pending = x - 1;", "", "EACH { pending++; MAKE } while (pending) ; data = 2;", false},
	{"one creates another one that is not counted", "pthread_create(&id, 0, g, 0); DATA DOWN", "DATA DOWN", "UP MAKE WAIT data = 2;", false},
	{"one creates another one, counted too late", "DOWN UP pthread_create(&id, 0, g, 0);", "DATA DOWN", "UP MAKE WAIT data = 2;", false},
	{"threads count themselves", "UP DATA DOWN", "", "EACH MAKE WAIT data = 2;", false},
	{"threads count themselves, one is not seen", "UP DATA DOWN", "", "EACH MAKE LOCK while (alive != n - 1) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", false},
	{"threads count themselves, one is enough", "UP DATA DOWN", "", "EACH MAKE LOCK while (alive == 0) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", false},
	{"threads count themselves twice", "UP DATA DOWN UP DATA DOWN", "", "EACH MAKE LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", false},
	{"threads count themselves, by two", "UP UP DATA DOWN DOWN", "", "EACH MAKE LOCK while (alive < n) pthread_cond_wait(&c, &m); UNLOCK WAIT data = 2;", false},
	{"threads count themselves, the counter began with 1", "UP DATA DOWN", "", "alive = 1; EACH MAKE LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK DOWN WAIT data = 2;", false},
	{"threads count themselves, before that is an access", "DATA UP DOWN", "", "EACH MAKE WAIT data = 2;", false},
	{"all are seen after none", "UP DATA DOWN", "", "EACH MAKE WAIT LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK data = 2;", false},
	{"all are seen, there are more", "UP DATA DOWN", "", "EACH MAKE LOCK while (alive != n) pthread_cond_wait(&c, &m); UNLOCK MAKE WAIT data = 2;", false},
	{"no flag is asked", "UP DATA DOWN", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag is asked before the count", "if (GO) { UP DATA DOWN }", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag is asked in another round", "UP bool x = GO; DOWN UP if (x) { DATA } DOWN", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag that is not set", "UP if (!GO) { DATA } DOWN", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag, cleared too late", "UP if (GO) { DATA } DOWN", "", "EACH MAKE WAIT STOP data = 2;", false},
	{"a flag, set again before", "UP if (GO) { DATA } DOWN", "", "EACH MAKE STOP WAIT pthread_mutex_lock(&k); go = true; pthread_mutex_unlock(&k); data = 2;", false},
	{"a flag, set by another thread", "UP if (GO) { DATA } DOWN", "pthread_mutex_lock(&k); go = true; pthread_mutex_unlock(&k);", "EACH MAKE pthread_create(&id, 0, g, 0); STOP WAIT data = 2;", false},
	{"a flag, the access is after the count", "UP if (GO) { DOWN DATA } else { DOWN }", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag that is atomic", "UP if (atomic_load_explicit(&run, memory_order_acquire)) { DATA } DOWN", "", "EACH MAKE atomic_store_explicit(&run, false, memory_order_release); WAIT data = 2;", false},
	{"a flag without a lock", "UP if (go) { DATA } DOWN", "", "EACH MAKE STOP WAIT data = 2;", false},
	{"a flag, not waited for", "UP if (GO) { DATA } DOWN", "", "EACH MAKE STOP data = 2;", false},
}

// counters is a program with counters of threads.
func counters(f, g, main string) string {
	src := latchHeader
	for _, x := range [][2]string{{"g", g}, {"f", f}} {
		src += "static void *" + x[0] + "(void *arg) { pthread_t id; bool on; " + x[1] + " return 0; }\n"
	}
	return src + "int main(int argc, char **argv) { pthread_t id; int n = argc; " + main + " return 0; }\n"
}

// TestLatches has threads that are counted: what is free is certified, and of the rest a certificate that says it was is refused.
func TestLatches(t *testing.T) {
	for i, c := range latched {
		if !long.Turn(i, 5) {
			continue
		}
		forges(t, c.name, counters(c.f, c.g, c.main), certificate.Latched, c.free)
	}
}
