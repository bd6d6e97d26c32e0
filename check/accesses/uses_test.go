package accesses_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/accesses"
	"comus/check/valuecheck"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/long"
)

// pool is a program with a lock, conditions and threads; what each pair of texts names is replaced in it.
func pool(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`
struct pool { pthread_mutex_t lock; pthread_cond_t more; int n, closed; };
struct client { struct pool *pool; int served; };
static void pool_open(struct pool *p) { pthread_mutex_init(&p->lock, NULL); pthread_cond_init(&p->more, NULL); p->n = 0; p->closed = 0; }
static void pool_close(struct pool *p) { pthread_cond_destroy(&p->more); pthread_mutex_destroy(&p->lock); }
static int get(struct pool *p) {
	int r = 0;
	pthread_mutex_lock(&p->lock);
	while (p->n == 0 && !p->closed) pthread_cond_wait(&p->more, &p->lock);
	if (p->n > 0) { p->n--; r = 1; }
	pthread_mutex_unlock(&p->lock);
	return r;
}
static void put(struct pool *p) { pthread_mutex_lock(&p->lock); p->n++; pthread_cond_signal(&p->more); pthread_mutex_unlock(&p->lock); }
static void *client(void *a) { struct client *c = a; while (get(c->pool)) c->served++; return NULL; }
int main(void) {
	struct pool pool; struct client cl[4]; pthread_t tid[4];
	pool_open(&pool);
	for (int i = 0; i < 4; i++) { cl[i].pool = &pool; cl[i].served = 0; pthread_create(&tid[i], NULL, client, &cl[i]); }
	for (int i = 0; i < 9; i++) put(&pool);
	pthread_mutex_lock(&pool.lock); pool.closed = 1; pthread_cond_broadcast(&pool.more); pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < 4; i++) pthread_join(tid[i], NULL);
	pool_close(&pool);
	return 0;
}`)
}

const two = `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x; `

// worker is a program whose thread and main do something.
func worker(thread, main string) string {
	return two + `void *f(void *a) { ` + thread + ` return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); ` + main + ` pthread_join(t, NULL); return 0; }`
}

// attributes is a program that creates a thread with attributes.
func attributes(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`void *f(void *a) { return NULL; } int main(void) { pthread_t t; pthread_attr_t k; pthread_attr_init(&k); pthread_create(&t, &k, f, NULL); pthread_join(t, NULL); return 0; }`)
}

// deques is a program with locks in elements of an array that a struct leads to.
func deques(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`struct d { pthread_mutex_t l; int v; }; struct s { struct d *d; int n; } s;
void *f(void *a) { for (int i = 0; i < s.n; i++) { pthread_mutex_t *l = &s.d[i].l; pthread_mutex_lock(l); s.d[i].v++; pthread_mutex_unlock(l); } return NULL; }
int main(void) {
	pthread_t t; int n = __VERIFIER_nondet_int() & 7;
	s.d = calloc(8, sizeof *s.d);
	if (!s.d) return 1;
	s.n = 0;
	for (int i = 0; i < n; i++) pthread_mutex_init(&s.d[i].l, NULL);
	s.n = n;
	pthread_create(&t, NULL, f, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < n; i++) pthread_mutex_destroy(&s.d[i].l);
	return 0;
}`)
}

var used = []twin{
	{"a pool", pool(), ""},
	{"initialised later", "", pool("pool_open(&pool);", "", "for (int i = 0; i < 9; i++) put", "pool_open(&pool); for (int i = 0; i < 9; i++) put")},
	{"not initialised", "", pool("pthread_mutex_init(&p->lock, NULL);", "")},
	{"a condition that is not initialised", "", pool("pthread_cond_init(&p->more, NULL);", "")},
	{"initialised on some ways", "", pool("pthread_mutex_init(&p->lock, NULL);", "if (__VERIFIER_nondet_int()) pthread_mutex_init(&p->lock, NULL);")},
	{"initialised twice", "", pool("pool_open(&pool);", "pool_open(&pool); pool_open(&pool);")},
	{"initialised again in the function", "", pool("p->n = 0;", "p->n = 0; pthread_mutex_init(&p->lock, NULL);")},
	{"initialised in a loop", "", pool("pool_open(&pool);", "for (int i = 0; i < 2; i++) pool_open(&pool);")},
	{"initialised by each thread", "", pool("struct client *c = a;", "struct client *c = a; pool_open(c->pool);")},
	{"destroyed too early", "", pool("pool_close(&pool);", "", "for (int i = 0; i < 4; i++) pthread_join", "pool_close(&pool); for (int i = 0; i < 4; i++) pthread_join")},
	{"destroyed while one thread runs", "", pool("i < 4; i++) pthread_join", "i < 3; i++) pthread_join")},
	{"destroyed by a thread", "", pool("c->served++; return", "c->served++; pool_close(c->pool); return", "\tpool_close(&pool);", "")},
	{"destroyed twice", "", pool("pool_close(&pool);", "pool_close(&pool); pool_close(&pool);")},
	{"used after that", "", pool("pool_close(&pool);", "pool_close(&pool); put(&pool);")},
	{"initialised again after that", "", pool("pool_close(&pool);", "pool_close(&pool); pool_open(&pool); pool_open(&pool);")},
	{"destroyed while held", "", pool("pool_close(&pool);", "pthread_mutex_lock(&pool.lock); pool_close(&pool);")},
	{"destroyed while a dead thread holds it", "", pool("if (p->n > 0) { p->n--; r = 1; }", "if (p->n > 0) { p->n--; r = 1; } if (p->closed) pthread_exit(NULL);")},
	{"given back twice", "", pool("\treturn r;", "\tpthread_mutex_unlock(&p->lock); return r;")},
	{"given back on some ways", "", pool("if (p->n > 0) { p->n--; r = 1; }", "if (p->n > 0) { p->n--; r = 1; pthread_mutex_unlock(&p->lock); }")},
	{"not taken on some ways", "", pool("int r = 0;\n\tpthread_mutex_lock(&p->lock);", "int r = 0;\n\tif (p->closed) pthread_mutex_lock(&p->lock);")},
	{"taken twice", "", pool("int r = 0;", "int r = 0; pthread_mutex_lock(&p->lock);")},
	{"taken again by a callee", "", pool("static int get(", "static void put(struct pool *p); static int get(", "p->n--; r = 1;", "p->n--; r = 1; put(p);")},
	{"a wait without the lock", "", pool("\tpthread_mutex_lock(&p->lock);\n\twhile", "\twhile", "if (p->n > 0)", "pthread_mutex_lock(&p->lock); if (p->n > 0)")},
	{"joined twice", "", pool("pthread_join(tid[i], NULL);", "{ pthread_join(tid[i], NULL); pthread_join(tid[i], NULL); }")},
	{"joined in two loops", "", pool("\tpool_close(&pool);", "for (int i = 0; i < 4; i++) pthread_join(tid[i], NULL);")},
	{"one joined again and again", "", pool("pthread_join(tid[i], NULL);", "pthread_join(tid[0], NULL);")},
	{"one joined twice by a step of 0", "", pool("i < 4; i++) pthread_join(tid[i], NULL);", "i < 4; i++) { pthread_join(tid[i], NULL); if (i == 2 && __VERIFIER_nondet_int()) i = 1; }")},
	{"joined before one was created", "", pool("for (int i = 0; i < 4; i++) { cl", "for (int i = 0; i < 3; i++) { cl")},
	{"detached and joined", "", pool("client, &cl[i]);", "client, &cl[i]); pthread_detach(tid[i]);")},
	{"detached", pool("pthread_join(tid[i], NULL);", "pthread_detach(tid[i]);", "\tpool_close(&pool);", ""), pool("pthread_join(tid[i], NULL);", "{ pthread_detach(tid[i]); pthread_detach(tid[i]); }", "\tpool_close(&pool);", "")},
	{"an id that is copied", "", pool("client, &cl[i]);", "client, &cl[i]); tid[0] = tid[1];")},
	{"an id that another loop stores", "", pool("for (int i = 0; i < 9; i++) put(&pool);", "for (int i = 0; i < 4; i++) tid[i] = pthread_self();")},
	{"an overwritten lock", "", pool("for (int i = 0; i < 9; i++) put(&pool);", "pthread_mutex_lock(&pool.lock); memset(&pool, 0, sizeof pool); pthread_mutex_unlock(&pool.lock);")},
	{"an overwritten condition", "", pool("for (int i = 0; i < 9; i++) put(&pool);", "pool.more = (pthread_cond_t)PTHREAD_COND_INITIALIZER;")},
	{"zeros before that", pool("pool_open(&pool);", "memset(cl, 0, sizeof cl); pool_open(&pool);"), ""},
	{"a struct before that", pool("struct pool pool;", "struct pool pool = { .n = 3 };"), ""},
	{"an attribute", "", pool("pthread_mutex_init(&p->lock, NULL);", "pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&p->lock, &k);")},
	{"static ones", worker(`pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);`),
		worker(`pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&o);`)},
	{"given back by another thread", "", worker(`pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&m);`)},
	{"never taken", "", worker(`pthread_mutex_unlock(&m);`, ``)},
	{"a zero that is initialised while it is used", "", worker(`pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);`, `pthread_mutex_init(&m, NULL);`)},
	{"an attempt", worker(`if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }`, ``), worker(`if (pthread_mutex_trylock(&m) != 0) { x++; pthread_mutex_unlock(&m); }`, ``)},
	{"an attempt that is not looked at", "", worker(`pthread_mutex_trylock(&m); x++; pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&m); pthread_mutex_unlock(&m);`)},
	{"an attempt of another one", "", worker(`if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&o); }`, ``)},
	{"a condition with one mutex", worker(`pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);`), ""},
	{"a condition with two mutexes", "", worker(`pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);`, `pthread_mutex_lock(&o); while (!x) pthread_cond_wait(&c, &o); pthread_mutex_unlock(&o);`)},
	{"a wait with another mutex", "", worker(`pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &o); pthread_mutex_unlock(&m);`, ``)},
	{"a thread that is joined by itself and by main", "", two + `pthread_t t; void *f(void *a) { pthread_detach(t); return NULL; } int main(void) { pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return 0; }`},
	{"an id of none", "", two + `pthread_t t; void *f(void *a) { return NULL; } int main(void) { if (__VERIFIER_nondet_int()) pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return 0; }`},
	{"an id that a function is given",
		two + `void *f(void *a) { return NULL; } static void stop(pthread_t t) { x = 1; pthread_join(t, NULL); } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); stop(t); return 0; }`,
		two + `void *f(void *a) { return NULL; } static void stop(pthread_t t) { x = 1; pthread_join(t, NULL); } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); stop(t); stop(t); return 0; }`},
	{"rounds of threads", "", two + `void *f(void *a) { return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); for (int i = 0; i < 2; i++) pthread_join(t, NULL); return 0; }`},
	{"functions that lock", two + `void lock(pthread_mutex_t *p) { pthread_mutex_lock(p); } void unlock(pthread_mutex_t *p) { pthread_mutex_unlock(p); } void *f(void *a) { lock(&m); x++; unlock(&m); return NULL; }
		int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); lock(&m); x++; unlock(&m); pthread_join(t, NULL); return 0; }`,
		two + `void lock(pthread_mutex_t *p) { pthread_mutex_lock(p); } void unlock(pthread_mutex_t *p) { pthread_mutex_unlock(p); } void *f(void *a) { lock(&m); x++; unlock(&m); unlock(&m); return NULL; }
		int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); lock(&m); x++; unlock(&m); pthread_join(t, NULL); return 0; }`},
	{"a parameter that changes", "", two + `void unlock(pthread_mutex_t *p) { p = &o; pthread_mutex_unlock(p); } int main(void) { pthread_mutex_lock(&m); unlock(&m); return 0; }`},
	{"an object of each turn",
		two + `struct b { int v; pthread_mutex_t l; }; int main(void) { for (int i = 0; i < 3; i++) { struct b *b = malloc(sizeof *b); if (!b) return 1; pthread_mutex_init(&b->l, NULL); pthread_mutex_lock(&b->l); b->v = 1; pthread_mutex_unlock(&b->l); free(b); } return 0; }`,
		two + `struct b { int v; pthread_mutex_t l; }; int main(void) { struct b *b = malloc(sizeof *b); if (!b) return 1; for (int i = 0; i < 3; i++) { pthread_mutex_init(&b->l, NULL); pthread_mutex_lock(&b->l); b->v = 1; pthread_mutex_unlock(&b->l); } free(b); return 0; }`},
	{"a local of each turn", two + `int main(void) { for (int i = 0; i < 3; i++) { pthread_mutex_t l; pthread_mutex_init(&l, NULL); pthread_mutex_lock(&l); pthread_mutex_unlock(&l); } return 0; }`,
		two + `int main(void) { pthread_mutex_t l; for (int i = 0; i < 3; i++) { pthread_mutex_init(&l, NULL); pthread_mutex_lock(&l); pthread_mutex_unlock(&l); } return 0; }`},
	{"a local with an initialiser", two + `int main(void) { pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&l); pthread_mutex_unlock(&l); return 0; }`,
		two + `int main(void) { pthread_mutex_t l; if (__VERIFIER_nondet_int()) l = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&l); pthread_mutex_unlock(&l); return 0; }`},
	{"a local of which a part is zero", "", two + `int main(void) { pthread_mutex_t l; l.__data.__lock = 0; if (__VERIFIER_nondet_int()) l.__data.__kind = 0; pthread_mutex_lock(&l); pthread_mutex_unlock(&l); return 0; }`},
	{"a local that is zero too late", "", two + `int main(void) { pthread_mutex_t l; pthread_mutex_lock(&l); l = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&l); return 0; }`},
	{"an initialiser of another kind", "", `#define _GNU_SOURCE
		pthread_mutex_t r = { { .__kind = 77 } }; int main(void) { pthread_mutex_lock(&r); pthread_mutex_unlock(&r); return 0; }`},
	{"elements", two + `pthread_mutex_t l[4]; int main(void) { for (int i = 0; i < 4; i++) pthread_mutex_init(&l[i], NULL); for (int i = 0; i < 4; i++) { pthread_mutex_lock(&l[i]); x++; pthread_mutex_unlock(&l[i]); } for (int i = 0; i < 4; i++) pthread_mutex_destroy(&l[i]); return 0; }`,
		two + `pthread_mutex_t l[4]; int main(void) { for (int i = 0; i < 4; i++) pthread_mutex_init(&l[i], NULL); for (int i = 0; i < 4; i++) { pthread_mutex_lock(&l[i]); x++; pthread_mutex_unlock(&l[i]); } for (int i = 0; i < 4; i++) pthread_mutex_destroy(&l[i / 2]); return 0; }`},
	{"elements, initialised twice", "", two + `pthread_mutex_t l[4]; int main(void) { for (int k = 0; k < 2; k++) for (int i = 0; i < 4; i++) pthread_mutex_init(&l[i], NULL); return 0; }`},
	{"elements by parts that overlap", "", two + `pthread_mutex_t l[4]; static void some(pthread_mutex_t *p, int n) { for (int i = 0; i < n; i++) pthread_mutex_init(&p[i], NULL); } int main(void) { for (int k = 0; k < 3; k++) some(&l[k], 2); return 0; }`},
	{"elements, another one", "", two + `pthread_mutex_t l[4]; int main(void) { int i = __VERIFIER_nondet_int() & 3; pthread_mutex_lock(&l[i]); i = (i + 1) & 3; pthread_mutex_unlock(&l[i]); return 0; }`},
	{"a barrier", `pthread_barrier_t b; void *f(void *a) { pthread_barrier_wait(&b); return NULL; } int main(void) { pthread_t t; pthread_barrier_init(&b, NULL, 2); pthread_create(&t, NULL, f, NULL); pthread_barrier_wait(&b); pthread_join(t, NULL); pthread_barrier_destroy(&b); return 0; }`,
		`pthread_barrier_t b; void *f(void *a) { pthread_barrier_wait(&b); return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_barrier_wait(&b); pthread_join(t, NULL); return 0; }`},
	{"a barrier for none", "", `pthread_barrier_t b; int main(void) { pthread_barrier_init(&b, NULL, __VERIFIER_nondet_int()); pthread_barrier_wait(&b); return 0; }`},
	{"a read-write lock", `pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x; void *f(void *a) { pthread_rwlock_rdlock(&l); int y = x; pthread_rwlock_unlock(&l); return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l); pthread_join(t, NULL); return 0; }`,
		`pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x; void *f(void *a) { int y = x; pthread_rwlock_unlock(&l); return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l); pthread_join(t, NULL); return 0; }`},
	{"read and written", "", `pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); return 0; }`},
	{"a key", "", `pthread_key_t k; int main(void) { pthread_setspecific(k, NULL); return 0; }`},
	{"exit in a cleanup handler", "", `void h(void *a) { pthread_exit(NULL); } void *f(void *a) { pthread_cleanup_push(h, NULL); pthread_exit(NULL); pthread_cleanup_pop(0); return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return 0; }`},
	{"exit at the end", "", `void h(void) { exit(1); } int main(void) { atexit(h); return 0; }`},
	{"an array in an object", deques(), deques(`pthread_create(&t, NULL, f, NULL);`, ``, `s.n = 0;`, `s.n = 0; pthread_create(&t, NULL, f, NULL);`)},
	{"an array, initialised while main holds a lock of it", "", deques(`pthread_mutex_init(&s.d[i].l, NULL);`, `{ if (i == 2) pthread_mutex_lock(&s.d[2].l); pthread_mutex_init(&s.d[i].l, NULL); }`)},
	{"an array that moves", "", deques(`pthread_mutex_init(&s.d[i].l, NULL);`, `{ pthread_mutex_init(&s.d[i].l, NULL); s.d--; }`)},
	{"an array that moves, another way", "", deques(`pthread_mutex_init(&s.d[i].l, NULL);`, `{ pthread_mutex_init(&s.d[i].l, NULL); s.d = &g[1 - i % 2]; }`, `} s;`, `} s; struct d g[4];`)},
	{"an array, twice", "", deques(`i < n; i++) pthread_mutex_init`, `i < n; i++) for (int k = 0; k < 2; k++) pthread_mutex_init`)},
	{"an array, with a step back", "", deques(`pthread_mutex_init(&s.d[i].l, NULL);`, `{ pthread_mutex_init(&s.d[i].l, NULL); if (__VERIFIER_nondet_int()) i--; }`)},
	{"an id in memory that attributes are written to", "", two + `void *f(void *a) { return NULL; } union { pthread_t t; pthread_condattr_t k; } u; int main(void) { pthread_create(&u.t, NULL, f, NULL); pthread_condattr_init(&u.k); pthread_join(u.t, NULL); return 0; }`},
	{"an id that the end of another thread is written to", "", two + `void *f(void *a) { return a; } int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, f, NULL); pthread_join(t[0], (void **)&t[1]); pthread_join(t[1], NULL); return 0; }`},
	{"an id of which a loop has stored none", "", two + `void *f(void *a) { return NULL; } int main(void) { pthread_t *t = calloc(4, sizeof *t); if (!t) return 1; for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, f, NULL); for (int i = 0; i < 4; i++) pthread_join(t[i], NULL); return 0; }`},
	{"a lock in another life of a local", "", two + `int main(void) { goto in; again: ; { pthread_mutex_t l; l = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&l); return 0; in: l = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&l); } goto again; }`},
	{"an initialiser that is jumped over", "", two + `int main(void) { if (__VERIFIER_nondet_int()) goto in; { pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER; in: pthread_mutex_lock(&l); pthread_mutex_unlock(&l); } return 0; }`},
	{"numbers of elements of two types", two + `pthread_mutex_t l[600]; static void f(pthread_mutex_t *b, int i) { pthread_mutex_lock(&b[(signed char)i]); pthread_mutex_unlock(&b[(signed char)i]); } int main(void) { f(l + 200, 200); return 0; }`,
		two + `pthread_mutex_t l[600]; static void f(pthread_mutex_t *b, int i) { pthread_mutex_lock(&b[(signed char)i]); pthread_mutex_unlock(&b[(unsigned char)i]); } int main(void) { f(l + 200, 200); return 0; }`},
	{"a callee that takes another one", two + `static void swap(pthread_mutex_t *a, pthread_mutex_t *b) { pthread_mutex_unlock(a); pthread_mutex_lock(b); } int main(void) { pthread_mutex_lock(&m); swap(&m, &o); pthread_mutex_unlock(&o); return 0; }`,
		two + `static void swap(pthread_mutex_t *a, pthread_mutex_t *b) { pthread_mutex_unlock(a); pthread_mutex_lock(b); } int main(void) { pthread_mutex_lock(&m); swap(&m, &o); pthread_mutex_unlock(&m); return 0; }`},
	{"static locals with one name", "", two + `int main(void) { int i = __VERIFIER_nondet_int() & 1; { static pthread_mutex_t l[2]; pthread_mutex_lock(&l[i]); } { static pthread_mutex_t l[2]; pthread_mutex_unlock(&l[i]); } return 0; }`},
	{"a barrier that is overwritten at once", "", two + `struct s { pthread_barrier_t b; int v; }; static void clear(struct s *s) { memset(s, 0, sizeof *s); } int main(void) { struct s s; pthread_barrier_init(&s.b, NULL, 1); clear(&s); pthread_barrier_wait(&s.b); return 0; }`},
	{"a thread that a thread has created", "", two + `void *g(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return NULL; } void *f(void *a) { pthread_t t; pthread_create(&t, NULL, g, NULL); return NULL; } int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); pthread_mutex_destroy(&m); return 0; }`},
	{"a callback", "", two + `static int cmp(const void *a, const void *b) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; } int a[4]; int main(void) { qsort(a, 4, sizeof a[0], cmp); pthread_mutex_init(&m, NULL); return 0; }`},
	{"what is called once", "", two + `pthread_once_t k = PTHREAD_ONCE_INIT; static void h(void) { pthread_mutex_lock(&m); } int main(void) { pthread_once(&k, h); pthread_mutex_init(&m, NULL); return 0; }`},
	{"overwritten through a pointer", "", two + `int main(void) { void *(*z)(void *, int, size_t) = memset; pthread_mutex_lock(&m); z(&m, 0, sizeof m); pthread_mutex_unlock(&m); return 0; }`},
	{"overwritten by a loop", "", two + `int main(void) { pthread_mutex_lock(&m); for (unsigned i = 0; i < sizeof m; i++) ((char *)&m)[i] = 0; pthread_mutex_unlock(&m); return 0; }`},
	{"attributes from elsewhere", "", two + `void *f(void *a) { return NULL; } int main(void) { pthread_t t; pthread_attr_t k; memset(&k, 1, sizeof k); pthread_create(&t, &k, f, NULL); pthread_join(t, NULL); return 0; }`},
	{"attributes", two + `void *f(void *a) { return NULL; } int main(void) { pthread_t t; pthread_attr_t k; pthread_attr_init(&k); pthread_create(&t, &k, f, NULL); pthread_join(t, NULL); return 0; }`,
		two + `void *f(void *a) { return NULL; } int main(void) { pthread_t t; pthread_attr_t k; pthread_attr_init(&k); pthread_attr_setdetachstate(&k, PTHREAD_CREATE_DETACHED); pthread_create(&t, &k, f, NULL); pthread_join(t, NULL); return 0; }`},
	{"attributes that nobody has initialised", "", attributes(`pthread_attr_init(&k);`, ``)},
	{"attributes that are initialised on some ways", "", attributes(`pthread_attr_init(&k);`, `if (__VERIFIER_nondet_int()) pthread_attr_init(&k);`)},
	{"attributes that are initialised too late", "", attributes(`pthread_attr_init(&k);`, ``, `pthread_join(`, `pthread_attr_init(&k); pthread_join(`)},
	{"attributes of a turn", attributes(`pthread_t t;`, `for (int i = 0; i < 2; i++) { pthread_t t;`, `return 0;`, `} return 0;`),
		attributes(`pthread_attr_t k; pthread_attr_init(&k);`, `for (int i = 0; i < 2; i++) { pthread_attr_t k; if (i == 0) pthread_attr_init(&k);`, `return 0; }`, `} return 0; }`)},
	{"attributes that others are read into", "", attributes(`pthread_attr_init(&k);`, `pthread_attr_t j; pthread_attr_init(&j); pthread_attr_init(&k); pthread_attr_getguardsize(&j, (size_t *)&k);`)},
	{"attributes in a variable", attributes(`pthread_attr_t k;`, ``, `int main`, `pthread_attr_t k; int main`), attributes(`pthread_attr_t k; pthread_attr_init(&k);`, ``, `int main`, `pthread_attr_t k = { .__size = { 1, 1, 1, 1 } }; int main`)},
	{"locks that overlap", "", two + `char buf[400]; int main(void) { for (int i = 0; i < 9; i++) { pthread_mutex_init((pthread_mutex_t *)(buf + 8 * i), NULL); } pthread_mutex_lock((pthread_mutex_t *)buf); pthread_mutex_unlock((pthread_mutex_t *)buf); return 0; }`},
	{"a copy of a lock", "", two + `int main(void) { pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, k; pthread_mutex_lock(&l); k = l; pthread_mutex_unlock(&k); return 0; }`},
	{"a callee that keeps the lock", "", two + `static void take(void) { if (x) pthread_mutex_lock(&m); } int main(void) { x = __VERIFIER_nondet_int(); take(); pthread_mutex_unlock(&m); return 0; }`},
	{"a callee that gives it back", two + `static void give(void) { x++; pthread_mutex_unlock(&m); } int main(void) { pthread_mutex_lock(&m); give(); pthread_mutex_lock(&m); give(); return 0; }`,
		two + `static void give(void) { x++; pthread_mutex_unlock(&m); } int main(void) { pthread_mutex_lock(&m); give(); give(); return 0; }`},
	{"a callee that gives one of two back", "", two + `static void give(pthread_mutex_t *p) { pthread_mutex_unlock(p); } int main(void) { pthread_mutex_lock(&m); give(&o); pthread_mutex_unlock(&m); return 0; }`},
	{"a wait in a callee", two + `static void doze(pthread_mutex_t *p) { while (!x) pthread_cond_wait(&c, p); } int main(void) { pthread_mutex_lock(&m); doze(&m); pthread_mutex_unlock(&m); return 0; }`,
		two + `static void doze(pthread_mutex_t *p) { while (!x) pthread_cond_wait(&c, p); } int main(void) { pthread_mutex_lock(&m); doze(&o); pthread_mutex_unlock(&m); return 0; }`},
	{"recursion", "", two + `static void r(int n) { pthread_mutex_lock(&m); if (n > 0) r(n - 1); pthread_mutex_unlock(&m); } int main(void) { r(2); return 0; }`},
	{"unlock in recursion", "", two + `static void r(int n) { if (n > 0) r(n - 1); pthread_mutex_unlock(&m); } int main(void) { pthread_mutex_lock(&m); r(2); return 0; }`},
	{"one local for a recursion", "", two + `static void r(int n, pthread_mutex_t *p) { pthread_mutex_t l; pthread_mutex_init(p ? p : &l, NULL); if (n > 0) r(n - 1, &l); } int main(void) { r(2, NULL); return 0; }`},
	{"unlock through a pointer", "", two + `int main(void) { int (*u)(pthread_mutex_t *) = pthread_mutex_unlock; u(&m); return 0; }`},
	{"an attempt of a lock by two names", "", two + `pthread_mutex_t *p = &m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(p); pthread_mutex_unlock(&m); return 0; }`},
}

// unused is why a program is not proved to use locks and threads well; "" if it is.
func (x *loaded) unused(t *testing.T) string {
	if _, err := accesses.CheckUses(t.Context(), x.prog, x.pts, x.values, x.scan, valuecheck.Options{}); err != nil {
		return err.Error()
	}
	return ""
}

// misused runs a program, and returns a misuse of locks and threads, "" if there is none.
func (x *loaded) misused(t *testing.T, seed uint64) string {
	why, other := "", false
	r, err := sample.Run(t.Context(), x.prog, sample.Options{Runs: 30, Seed: seed, MaxSteps: 20000, Races: true, Reads: true, Until: func(r *interp.Result) bool {
		inLock := r.Site != nil && strings.Contains(r.Site.Pos.File, "pthread_")
		switch {
		case r.Outcome == interp.Undefined && (r.Check == "locks" || r.Check == "threads" || (r.Check == interp.CheckRead || r.Check == interp.CheckUninit) && inLock):
			why = r.Why
		case r.Outcome == interp.Undefined: // which is assumed not to happen
			other = true
		}
		for _, w := range r.Waits { // who takes a lock that he holds waits for himself
			if w.Holder == w.Thread && why == "" && w.Via != "pthread_join" {
				why = "a thread waits for itself in " + w.Via
			}
		}
		return why != ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Races) > 0 || other {
		return ""
	}
	return why
}

// TestMisuse runs programs that were changed at random, if they are proved. Of the others, some have to misuse locks or threads.
func TestMisuse(t *testing.T) {
	var texts []string
	for _, c := range used {
		if c.safe != "" {
			texts = append(texts, head+c.safe)
		}
	}
	all := long.N(1000, 12)
	proved, bad := 0, 0
	for seed := range uint64(all) {
		r := rand.New(rand.NewPCG(seed, 57))
		text := mutant(r, texts[r.IntN(len(texts))])
		if _, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(text), cfront.Options{NoHost: true}); err != nil {
			continue
		}
		x := load(t, text)
		open, why := x.unused(t), x.misused(t, seed)
		switch {
		case open == "" && why != "":
			t.Errorf("seed %d: proved, but a run has %s\n%s", seed, why, text)
		case open == "":
			proved++
		case why != "":
			bad++
		}
	}
	if t.Logf("%d proved, %d with misuse, of %d", proved, bad, all); proved < all/20 || bad < all/60-1 {
		t.Error("that says little")
	}
}

// TestUses proves programs that use locks and threads well, and does not prove others, which differ from them by little.
func TestUses(t *testing.T) {
	for _, c := range used {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 5)
			if c.safe != "" {
				if why := load(t, head+c.safe).unused(t); why != "" {
					t.Errorf("not proved: %s", why)
				}
			}
			if c.bad != "" {
				why := load(t, head+c.bad).unused(t)
				if t.Log(why); why == "" {
					t.Error("a bad program is proved")
				}
			}
		})
	}
}

// TestUsesWrap does not count on it that a number is another one each time if signed numbers wrap around.
func TestUsesWrap(t *testing.T) {
	x := load(t, head+`pthread_mutex_t a[4]; int main(void) { for (int i = 0; __VERIFIER_nondet_int(); i++) if (i >= 0 && i < 4) pthread_mutex_init(&a[i], NULL); return 0; }`)
	for _, wrap := range []bool{false, true} {
		if _, err := accesses.CheckUses(t.Context(), x.prog, x.pts, x.values, x.scan, valuecheck.Options{Wrap: wrap}); (err != nil) != wrap {
			t.Error(wrap, err)
		}
	}
}
