package sample_test

// program is two threads, and perhaps more, of which a test knows whether there is a race.
type program struct {
	name    string
	globals string
	a, b    string // the threads' functions' bodies
	main    string // what main does while they run; they are joined behind it
	race    bool
	// notTSan says why ThreadSanitizer has another opinion.
	notTSan string
}

// text is the program in C.
func (p *program) text() string {
	return `#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
int x, y;
atomic_int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
` + p.globals + `
void *a(void *p) {
  ` + p.a + `
  return 0;
}
void *b(void *p) {
  ` + p.b + `
  return 0;
}
int main(void) {
  pthread_t ta, tb;
  SETUP;
  pthread_create(&ta, 0, a, 0);
  pthread_create(&tb, 0, b, 0);
  ` + p.main + `
  pthread_join(ta, 0);
  pthread_join(tb, 0);
  return 0;
}
`
}

// programs come in pairs mostly, which differ in what makes a race.
var programs = []program{
	{name: "counter", a: "x++;", b: "x++;", race: true},
	{name: "readers", a: "if (x) y++;", b: "return (void *)(intptr_t)x;"},
	{name: "mutex", a: "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", b: "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"},
	{name: "two mutexes", a: "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", b: "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);", race: true},
	{name: "unlocked first", a: "usleep(1000); x++; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", b: "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;", race: true},
	{name: "failed trylock", a: "x = 1; pthread_mutex_lock(&m); usleep(3000); pthread_mutex_unlock(&m);",
		b: "usleep(1000); if (pthread_mutex_trylock(&m)) { if (x) errno = 0; } else pthread_mutex_unlock(&m);", race: true},
	{name: "trylock", a: "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }", b: "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }"},
	{name: "recursive", globals: "#define SETUP pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutexattr_settype(&t, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &t)",
		a: "pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++; pthread_mutex_unlock(&m);", b: "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"},
	{name: "main's write before", globals: "#define SETUP x = 1", a: "y = x;", b: ""},
	{name: "main's write while they run", a: "y = x;", b: "", main: "x = 1;", race: true},
	{name: "semaphore", globals: "sem_t s;\n#define SETUP sem_init(&s, 0, 0)", a: "x = 1; sem_post(&s);", b: "sem_wait(&s); x = 2;"},
	{name: "post too early", globals: "sem_t s;\n#define SETUP sem_init(&s, 0, 0)", a: "sem_post(&s); x = 1;", b: "sem_wait(&s); x = 2;", race: true},
	{name: "semaphore of two", globals: "sem_t s;\n#define SETUP sem_init(&s, 0, 2)", a: "sem_wait(&s); usleep(1000); x++; sem_post(&s);", b: "sem_wait(&s); usleep(1000); x++; sem_post(&s);", race: true},
	{name: "trywait", globals: "sem_t s;\n#define SETUP sem_init(&s, 0, 0)", a: "x = 1; sem_post(&s);", b: "if (sem_trywait(&s) == 0) x = 2;"},
	{name: "barrier", globals: "pthread_barrier_t bar;\n#define SETUP pthread_barrier_init(&bar, 0, 2)", a: "x = 1; pthread_barrier_wait(&bar);", b: "pthread_barrier_wait(&bar); x = 2;"},
	{name: "behind the barrier", globals: "pthread_barrier_t bar;\n#define SETUP pthread_barrier_init(&bar, 0, 2)", a: "pthread_barrier_wait(&bar); x = 1;", b: "pthread_barrier_wait(&bar); x = 2;", race: true},
	{name: "between barriers", globals: "pthread_barrier_t bar;\n#define SETUP pthread_barrier_init(&bar, 0, 2)",
		a: "pthread_barrier_wait(&bar); x = 1; pthread_barrier_wait(&bar); pthread_barrier_wait(&bar);", b: "pthread_barrier_wait(&bar); pthread_barrier_wait(&bar); x = 2; pthread_barrier_wait(&bar);"},
	{name: "readers and writers", globals: "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", a: "pthread_rwlock_rdlock(&l); y = x; pthread_rwlock_unlock(&l);", b: "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);"},
	{name: "readers write", globals: "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", a: "pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l);", b: "pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l);", race: true},
	{name: "once", globals: "pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x++; }", a: "pthread_once(&o, init); y = x;", b: "pthread_once(&o, init); return (void *)(intptr_t)x;"},
	{name: "spin lock", globals: "pthread_spinlock_t l;\n#define SETUP pthread_spin_init(&l, 0)", a: "pthread_spin_lock(&l); x++; pthread_spin_unlock(&l);", b: "pthread_spin_lock(&l); x++; pthread_spin_unlock(&l);"},
	{name: "condition", globals: "pthread_cond_t c = PTHREAD_COND_INITIALIZER;", a: "x = 1; pthread_mutex_lock(&m); y = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
		b: "pthread_mutex_lock(&m); while (!y) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); x = 2;"},
	{name: "condition without the mutex", globals: "pthread_cond_t c = PTHREAD_COND_INITIALIZER;", a: "x = 1; y = 1; pthread_cond_signal(&c);",
		b: "pthread_mutex_lock(&m); if (!y) { struct timespec t = {0}; pthread_cond_timedwait(&c, &m, &t); } pthread_mutex_unlock(&m);", race: true},
	{name: "C11 mutex", globals: "mtx_t l;\n#define SETUP mtx_init(&l, mtx_plain)", a: "mtx_lock(&l); x++; mtx_unlock(&l);", b: "mtx_lock(&l); x++; mtx_unlock(&l);", notTSan: "it does not know mtx_lock"},
	{name: "atomic counter", a: "flag++;", b: "flag++;"},
	{name: "atomic and not", globals: "int z;", a: "__atomic_store_n(&z, 1, __ATOMIC_SEQ_CST);", b: "z = 2;", race: true},
	{name: "volatile", globals: "volatile int v;", a: "v = 1;", b: "while (!v) ;", race: true},
	{name: "release and acquire", a: "x = 1; atomic_store_explicit(&flag, 1, memory_order_release);", b: "if (atomic_load_explicit(&flag, memory_order_acquire)) x = 2;"},
	{name: "relaxed store", a: "x = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed);", b: "if (atomic_load_explicit(&flag, memory_order_acquire)) x = 2;", race: true},
	{name: "relaxed load", a: "x = 1; atomic_store_explicit(&flag, 1, memory_order_release);", b: "if (atomic_load_explicit(&flag, memory_order_relaxed)) x = 2;", race: true},
	{name: "fences", a: "x = 1; atomic_thread_fence(memory_order_release); atomic_store_explicit(&flag, 1, memory_order_relaxed);",
		b: "if (atomic_load_explicit(&flag, memory_order_relaxed)) { atomic_thread_fence(memory_order_acquire); x = 2; }", notTSan: "it does not know fences"},
	{name: "fence too late", a: "x = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); atomic_thread_fence(memory_order_release);",
		b: "if (atomic_load_explicit(&flag, memory_order_relaxed)) { atomic_thread_fence(memory_order_acquire); x = 2; }", race: true},
	{name: "release sequence", a: "x = 1; atomic_store_explicit(&flag, 1, memory_order_release); atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);",
		b: "if (atomic_load_explicit(&flag, memory_order_acquire) == 2) x = 2;"},
	{name: "compare and exchange", a: "x = 1; atomic_store(&flag, 1);", b: "int e = 1; if (atomic_compare_exchange_strong_explicit(&flag, &e, 2, memory_order_acquire, memory_order_relaxed)) x = 2;"},
	{name: "failed exchange", a: "x = 1; atomic_store(&flag, 1);",
		b: "int e = 0; if (!atomic_compare_exchange_strong_explicit(&flag, &e, 0, memory_order_acq_rel, memory_order_relaxed)) x = 2;", race: true},
	{name: "spin lock of our own", a: "while (atomic_exchange(&flag, 1)) ; x++; atomic_store(&flag, 0);", b: "while (__sync_lock_test_and_set((int *)&flag, 1)) ; x++; __sync_lock_release((int *)&flag);"},
	{name: "members", globals: "struct { char c, d; } s;", a: "s.c = 1;", b: "s.d = 1;"},
	{name: "bit-fields", globals: "struct { int c : 3, d : 7; } s;", a: "s.c = 1;", b: "s.d = 1;", race: true},
	{name: "bit-fields far apart", globals: "struct { int c : 16, d : 16; } s;", a: "s.c = 1;", b: "s.d = 1;", race: true},
	{name: "bit-fields divided", globals: "struct { int c : 3, : 0, d : 7; } s;", a: "s.c = 1;", b: "s.d = 1;"},
	{name: "bit-field and member", globals: "struct { int c : 5; char d; } s;", a: "s.c = 1;", b: "s.d = 1;"},
	{name: "union", globals: "union { int i; char c[4]; } u;", a: "u.i = 1;", b: "u.c[3] = 1;", race: true},
	{name: "array", globals: "char z[8];", a: "for (int i = 0; i < 4; i++) z[i] = 1;", b: "for (int i = 4; i < 8; i++) z[i] = 1;"},
	{name: "struct assignment", globals: "struct big { int i[8]; } u, v;", a: "u = v;", b: "u.i[7] = 1;", race: true},
	{name: "memcpy", globals: "char z[8], w[8];", a: "memcpy(z, w, 8);", b: "z[7] = 1;", race: true},
	{name: "memcpy of others", globals: "char z[8], w[8];", a: "memcpy(z, w, 7);", b: "z[7] = 1;"},
	{name: "strlen", globals: "char z[8] = \"abc\";", a: "x = strlen(z);", b: "z[1] = 'x';", race: true},
	{name: "printf of a string", globals: "char z[8] = \"abc\";", a: "printf(\"%s\\n\", z);", b: "z[1] = 'x';", race: true},
	{name: "printf of a value", a: "int l = x; printf(\"%d\\n\", l);", b: "printf(\"%d\\n\", x);"},
	{name: "sscanf", a: "sscanf(\"5\", \"%d\", &x);", b: "x = 1;", race: true},
	{name: "free", globals: "int *h;\n#define SETUP h = malloc(8)", a: "h[1] = 1; flag = 1;", b: "if (x) return 0; if (flag) free(h);"},
	{name: "free too early", globals: "int *h;\n#define SETUP h = malloc(8)", a: "h[1] = 1;", b: "usleep(1000); free(h);", race: true},
	{name: "heap used again", a: "int *h = malloc(4); *h = 1; free(h);", b: "int *h = malloc(4); *h = 2; free(h);"},
	{name: "id", globals: "pthread_t id; void *c(void *p) { return (void *)id; }", a: "pthread_create(&id, 0, c, 0); pthread_join(id, 0);", b: "", race: false},
	{name: "result of a join", globals: "void *r; void *c(void *p) { return p; }", a: "pthread_t t; pthread_create(&t, 0, c, 0); pthread_join(t, &r);", b: "r = 0;", race: true, notTSan: "it does not see the write of the result"},
	{name: "errno", a: "errno = 1;", b: "errno = 2;"},
	{name: "thread-local", globals: "_Thread_local int z;", a: "z = 1;", b: "z = 2;"},
	{name: "another's thread-local", globals: "_Thread_local int z; int *_Atomic q;", a: "q = &z; z = 1; while (!flag) ;", b: "int *w = q; if (w) *w = 2; flag = 1;", race: true},
	{name: "strtok", a: "char s[] = \"a b\"; strtok(s, \" \");", b: "char s[] = \"a b\"; strtok(s, \" \");", race: true, notTSan: "the state is hidden"},
	{name: "rand", a: "rand();", b: "rand();", race: true, notTSan: "glibc's is locked"},
	{name: "getenv", a: "getenv(\"HOME\");", b: "getenv(\"HOME\");"},
	{name: "setenv", a: "getenv(\"HOME\");", b: "setenv(\"A\", \"b\", 1);", race: true, notTSan: "the state is hidden"},
	{name: "detached is not joined", globals: "void *c(void *p) { x = 1; return 0; }", a: "pthread_t t; pthread_create(&t, 0, c, 0); usleep(1000); pthread_detach(t); x = 2;", b: "", race: true},
	{name: "mutex overwritten", globals: "pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;", a: "pthread_mutex_lock(&l); pthread_mutex_unlock(&l);", b: "memset(&l, 0, sizeof l);", race: true},
	{name: "atomic struct", globals: "struct big { int i[8]; }; _Atomic struct big u;", a: "struct big v = {{1}}; u = v;", b: "struct big v = u; x = v.i[0];"},
}
