/* How the program synchronises, for ThreadSanitizer: beside each object of the program's that comus has a model of lies a real one, and a
   call of the model is one of the real function, too, which ThreadSanitizer knows. As it happens in its turn, it does
   not wait; a lock is given back before, and taken after, what the model does. Barriers and pthread_once, where the real functions would have to
   wait within a turn, are told of as ThreadSanitizer's own wrappers of them do.

   The linker replaces the program's calls (--wrap); those within the library are left as they are. */
#define _GNU_SOURCE
#include "comus_cir.h"
#include "comus_replay.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

void __tsan_acquire(void *p) __attribute__((weak));
void __tsan_release(void *p) __attribute__((weak));

static void acquire(void *p) {
    if (__tsan_acquire)
        __tsan_acquire(p);
}

static void release(void *p) {
    if (__tsan_release)
        __tsan_release(p);
}

/* An object beside one of the program's. */
struct real {
    struct real *next;
    void *of;
    int ready;      /* it is initialised */
    int depth;      /* a mutex: how often it is held */
    unsigned owner; /* by whom */
    union {
        pthread_mutex_t mutex;
        pthread_rwlock_t rwlock; /* zero is unlocked */
        sem_t sem;
    };
};

/* They are no memory of the heap: ThreadSanitizer would take its allocation for an access. */
enum { REALS = 20000 };
static struct real reals[REALS], *all;
static int used;
static volatile char busy;

/* of returns the object beside p, a new one if there is none, or it has to be. */
static struct real *of(void *p, int again) {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        sched_yield();
    struct real *r = again ? 0 : all;
    while (r && r->of != p)
        r = r->next;
    if (!r) {
        if (used == REALS)
            abort();
        r = &reals[used++];
        r->of = p;
        r->next = all;
        all = r;
    }
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return r;
}

static struct real *mutex_of(void *p) {
    struct real *r = of(p, 0);
    if (!r->ready) { /* pthread_mutex_init would be an access of this thread */
        r->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        r->ready = 1;
    }
    return r;
}

static void lock(void *p) {
    struct real *r = mutex_of(p);
    pthread_mutex_lock(&r->mutex);
    r->depth++;
    r->owner = comus_self;
}

static void unlock(void *p) {
    struct real *r = mutex_of(p);
    if (r->depth > 0 && r->owner == comus_self) {
        r->depth--;
        pthread_mutex_unlock(&r->mutex);
    }
}

/* WRAP is the wrapper of a function; a program need not have the function. */
#define WRAP(f, params) \
    int __real_comus_lib_##f params __attribute__((weak)); \
    int __wrap_comus_lib_##f params

#define LOCKS(f, params, args) \
    WRAP(f, params) { \
        int e = __real_comus_lib_##f args; \
        if (e == 0 || e == EOWNERDEAD) \
            lock(m); \
        return e; \
    }

#define UNLOCKS(f) \
    WRAP(f, (void *m)) { \
        unlock(m); \
        return __real_comus_lib_##f(m); \
    }

#define WAITS(f, params, args) \
    WRAP(f, params) { \
        unlock(m); \
        int e = __real_comus_lib_##f args; \
        lock(m); \
        return e; \
    }

LOCKS(pthread_mutex_lock, (void *m), (m))
LOCKS(pthread_mutex_trylock, (void *m), (m))
LOCKS(pthread_mutex_timedlock, (void *m, void *t), (m, t))
LOCKS(pthread_mutex_clocklock, (void *m, int c, void *t), (m, c, t))
UNLOCKS(pthread_mutex_unlock)
LOCKS(mtx_lock, (void *m), (m))
LOCKS(mtx_trylock, (void *m), (m))
LOCKS(mtx_timedlock, (void *m, void *t), (m, t))
UNLOCKS(mtx_unlock)
LOCKS(pthread_spin_lock, (void *m), (m))
LOCKS(pthread_spin_trylock, (void *m), (m))
UNLOCKS(pthread_spin_unlock)
WAITS(pthread_cond_wait, (void *c, void *m), (c, m))
WAITS(pthread_cond_timedwait, (void *c, void *m, void *t), (c, m, t))
WAITS(pthread_cond_clockwait, (void *c, void *m, int k, void *t), (c, m, k, t))
WAITS(cnd_wait, (void *c, void *m), (c, m))
WAITS(cnd_timedwait, (void *c, void *m, void *t), (c, m, t))

WRAP(pthread_mutex_init, (void *m, void *a)) {
    int e = __real_comus_lib_pthread_mutex_init(m, a);
    of(m, 1);
    return e;
}

WRAP(pthread_mutex_destroy, (void *m)) {
    pthread_mutex_destroy(&mutex_of(m)->mutex);
    of(m, 1);
    return __real_comus_lib_pthread_mutex_destroy(m);
}

#define TAKES(f, params, args, take) \
    WRAP(f, params) { \
        int e = __real_comus_lib_##f args; \
        if (e == 0) \
            take; \
        return e; \
    }

TAKES(pthread_rwlock_rdlock, (void *l), (l), pthread_rwlock_rdlock(&of(l, 0)->rwlock))
TAKES(pthread_rwlock_wrlock, (void *l), (l), pthread_rwlock_wrlock(&of(l, 0)->rwlock))
TAKES(pthread_rwlock_tryrdlock, (void *l), (l), pthread_rwlock_rdlock(&of(l, 0)->rwlock))
TAKES(pthread_rwlock_trywrlock, (void *l), (l), pthread_rwlock_wrlock(&of(l, 0)->rwlock))
TAKES(pthread_rwlock_timedrdlock, (void *l, void *t), (l, t), pthread_rwlock_rdlock(&of(l, 0)->rwlock))
TAKES(pthread_rwlock_timedwrlock, (void *l, void *t), (l, t), pthread_rwlock_wrlock(&of(l, 0)->rwlock))

WRAP(pthread_rwlock_unlock, (void *l)) {
    pthread_rwlock_unlock(&of(l, 0)->rwlock);
    return __real_comus_lib_pthread_rwlock_unlock(l);
}

/* A semaphore whose value at the beginning was seen is a real one. */
static void up(void *s) {
    struct real *r = of(s, 0);
    if (r->ready)
        sem_post(&r->sem);
    else
        release(s);
}

static void down(void *s) {
    struct real *r = of(s, 0);
    if (r->ready)
        sem_wait(&r->sem);
    else
        acquire(s);
}

WRAP(sem_init, (void *s, int shared, unsigned value)) {
    int e = __real_comus_lib_sem_init(s, shared, value);
    struct real *r = of(s, 1);
    if (e == 0 && sem_init(&r->sem, 0, value) == 0)
        r->ready = 1;
    return e;
}

WRAP(sem_post, (void *s)) {
    up(s);
    return __real_comus_lib_sem_post(s);
}

TAKES(sem_wait, (void *s), (s), down(s))
TAKES(sem_trywait, (void *s), (s), down(s))
TAKES(sem_timedwait, (void *s, void *t), (s, t), down(s))

WRAP(pthread_barrier_wait, (void *b)) {
    release(b);
    int e = __real_comus_lib_pthread_barrier_wait(b);
    acquire(b);
    return e;
}

static __thread void (*once_function)(void);
static __thread void *once_control;

static void once(void) {
    void *control = once_control;
    once_function();
    release(control);
}

#define ONCE(f) \
    WRAP(f, (void *o, void (*g)(void))) { \
        once_function = g; \
        once_control = o; \
        int e = __real_comus_lib_##f(o, once); \
        acquire(o); \
        return e; \
    }

ONCE(pthread_once)
ONCE(call_once)

#define JOINS(f, params, args) \
    WRAP(f, params) { \
        comus_joined = -1; \
        int e = __real_comus_lib_##f args; \
        if (e == 0) \
            comus_really_join(comus_joined); \
        return e; \
    }

JOINS(pthread_join, (comus_u64 t, void *r), (t, r))
JOINS(pthread_tryjoin_np, (comus_u64 t, void *r), (t, r))
JOINS(pthread_timedjoin_np, (comus_u64 t, void *r, void *end), (t, r, end))
JOINS(thrd_join, (comus_u64 t, void *r), (t, r))

/* What the program does with its threads is its own business; memory is given back as it does. */
const char *__tsan_default_options(void) { return "report_thread_leaks=0:atexit_sleep_ms=0:report_signal_unsafe=0:detect_deadlocks=0:exitcode=66"; }
const char *__asan_default_options(void) { return "detect_leaks=0:exitcode=66"; }
const char *__lsan_default_options(void) { return "exitcode=66"; }
const char *__ubsan_default_options(void) { return "print_stacktrace=1:exitcode=66"; }
#ifdef COMUS_SANITIZED
int comus_frees = 1;
#endif
