/* Plays a run of the program as a whole: real threads, of which the one whose turn it is goes on, and answers from outside as they were.

   What takes turns are accesses of memory that several threads use, and what concerns threads and locks. A turn is for a number of
   them, which are told by their numbers. A program that comes out of step says where, and stops with exit code 3. While
   there is one thread, nothing takes turns.

   This file is compiled without a sanitizer, and threads wait for their turns by system calls alone: so for ThreadSanitizer nothing here
   orders what the threads do. Only creations and joins are those of the system. */
#define _GNU_SOURCE
#include "comus_cir.h"
#include "comus_whole.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { OUT_OF_STEP = 3, DEADLOCK = 5, STACK = 256 << 20, SMALL_STACK = 8 << 20, FEW = 32, ARGUMENTS = 8 };

static unsigned turn;        /* the number of turns that were taken */
static unsigned threads = 1; /* that were created */
static char *ended;          /* by thread */
static pthread_t *ids;       /* by thread */
static unsigned *next_value, *next_call, *got; /* by thread */
static void **made;
static unsigned arrived;     /* threads that wait at the end */
__thread unsigned comus_self;
__thread long comus_joined = -1;
static __thread unsigned left, hash; /* of the turn that the thread has */
static __thread int in_turn;
static __thread unsigned doing; /* the number of what the thread does */
#define self comus_self

static unsigned get(unsigned *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }

/* await_change waits until *p is no longer v, or some time has passed. */
static void await_change(unsigned *p, unsigned v) {
    for (int i = 0; i < 100; i++)
        if (get(p) != v)
            return;
    struct timespec t = {0, 50000000};
    syscall(SYS_futex, p, FUTEX_WAIT_PRIVATE, v, &t, 0, 0);
}

static const char *place(unsigned number) {
    for (unsigned i = 0; i < comus_nsites; i++)
        if (comus_sites[i].number == number)
            return comus_sites[i].place;
    return "an instruction";
}

__attribute__((noreturn)) static void forever(void) {
    for (;;)
        pause();
}

/* is_over tells whether the thread takes no more turns: it goes on for as long as the run does, or less. */
static int is_over(void) {
    for (unsigned k = get(&turn); k < comus_nturns; k++)
        if (comus_slices[k].thread == self)
            return 0;
    return get(&threads) > 1;
}

/* waits returns where the thread waits at the end of the run, in a circle for a lock that the thread of the next one holds; 0 if it does not. */
static const struct comus_stop *waits(void) {
    for (unsigned i = 0; i < comus_nstops; i++)
        if (comus_stops[i].thread == self)
            return &comus_stops[i];
    return 0;
}

__attribute__((format(printf, 1, 2), noreturn)) static void out_of_step(const char *format, ...) {
    va_list ap;
    if (is_over() && !waits())
        forever();
    va_start(ap, format);
    fprintf(stderr, "comus replay: out of step: thread %u ", self);
    vfprintf(stderr, format, ap);
    fprintf(stderr, " (after %u of %u turns)\n", get(&turn), comus_nturns);
    fflush(stderr);
    _exit(OUT_OF_STEP);
}

/* finish ends the program behind the last access of its race, or where its assertion fails: what sanitizers have to say they say now. */
__attribute__((noreturn)) static void finish(void) {
    fprintf(stderr, "comus replay: %s\n", comus_what);
    fflush(stderr);
#ifdef COMUS_SANITIZED
    if (!comus_fails)
        exit(1);
#endif
    abort();
}

/* behind is a thread behind its last turn that does what there is not in the run. */
__attribute__((noreturn)) static void behind(void) {
    if (waits())
        out_of_step("gets what it waits for: %s", waits()->place);
    forever();
}

/* hang is a thread that waits at the end: for *lock to become 0, or for good. When all have come there, the program says so and ends; with COMUS_HANG in its
   environment it stays as it is. */
__attribute__((noreturn)) static void hang(int *lock) {
    const struct comus_stop *at = waits(), *next = at + 1 < comus_stops + comus_nstops ? at + 1 : comus_stops;
    for (unsigned k; (k = get(&turn)) < comus_nturns;)
        await_change(&turn, k);
    if (comus_circle && lock && *lock != (int)next->thread + 1)
        out_of_step("waits for what thread %u does not hold: %s", next->thread, at->place);
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST) < comus_nstops)
        forever();
    fprintf(stderr, "comus replay: %s\n", comus_what);
    for (unsigned i = 0; i < comus_nstops; i++)
        if (comus_circle)
            fprintf(stderr, "comus replay: thread %u waits at %s, which thread %u holds\n", comus_stops[i].thread, comus_stops[i].place,
                    comus_stops[(i + 1) % comus_nstops].thread);
        else
            fprintf(stderr, "comus replay: thread %u waits at %s\n", comus_stops[i].thread, comus_stops[i].place);
    fflush(stderr);
    if (getenv("COMUS_HANG"))
        forever();
    _exit(DEADLOCK);
}

/* is_at_end tells whether the thread has taken its last turn, and waits then. */
static int is_at_end(void) { return !in_turn && waits() && is_over(); }

unsigned long comus_turn(unsigned long thread, unsigned long number) {
    doing = number;
    if (get(&threads) == 1)
        return 0;
    if (!left) {
        unsigned k;
        while ((k = get(&turn)) < comus_nturns && comus_slices[k].thread != self) {
            if (__atomic_load_n(&ended[comus_slices[k].thread], __ATOMIC_SEQ_CST))
                out_of_step("waits for thread %u, which has ended: %s", comus_slices[k].thread, place(number));
            await_change(&turn, k);
        }
        if (k >= comus_nturns) {
            if (!waits())
                forever();
            return 0;
        }
        left = comus_slices[k].count;
        hash = 0;
    }
    hash = hash * 31 + (unsigned)number;
    if (left == 1 && hash != comus_slices[get(&turn)].hash)
        out_of_step("has come another way to %s", place(number));
    in_turn = 1;
    return 0;
}

unsigned long comus_done(unsigned long thread, unsigned long number) {
    if (!in_turn)
        return 0;
    in_turn = 0;
    if (--left)
        return 0;
    if (comus_fails && get(&turn) + 1 == comus_nturns)
        out_of_step("passes the assertion that fails in the run: %s", place(number));
    if (__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST) == comus_nturns && !comus_nstops)
        finish();
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1 << 20, 0, 0, 0);
    return 0;
}

/* value returns what the thread gets, or what it has found itself. */
static unsigned long value(unsigned long number, unsigned long own) {
    unsigned *i = &next_value[self];
    while (*i < comus_nvalues && comus_values[*i].thread != self)
        ++*i;
    if (*i >= comus_nvalues)
        behind(); /* the run ends before */
    const struct comus_value *v = &comus_values[*i];
    if (++got[self] == v->count) {
        got[self] = 0;
        ++*i;
    }
    if (!v->keeps && v->number != number)
        out_of_step("gets a value at another instruction than in the run: %s", place(number));
    return v->keeps ? own : v->value;
}

unsigned long comus_input(unsigned long thread, unsigned long number) { return value(number, 0); }
unsigned long comus_told(unsigned long thread, unsigned long number, unsigned long own) { return value(number, own); }

static const struct comus_call *next(unsigned long number) {
    unsigned i = next_call[self];
    while (i < comus_ncalls && comus_calls[i].thread != self)
        i++;
    next_call[self] = i;
    if (i >= comus_ncalls)
        behind();
    if (comus_calls[i].number != number)
        out_of_step("calls %s instead of %s", place(number), place(comus_calls[i].number));
    return &comus_calls[i];
}

unsigned long comus_knows(unsigned long thread, unsigned long number) {
    if (next(number)->known)
        return 1;
    next_call[self]++;
    return 0;
}

static unsigned long spot(const struct comus_spot *s, const unsigned long *args) {
    switch (s->base) {
    case COMUS_ARGUMENT:
        return args[s->index] + s->offset;
    case COMUS_GLOBAL:
        return args[ARGUMENTS + s->index] + s->offset;
    case COMUS_ARGV:
        return (unsigned long)comus_args[s->index] + s->offset;
    case COMUS_MADE:
        return (unsigned long)made[s->index] + s->offset;
    default:
        return s->offset;
    }
}

/* perform does to memory what a call does; memcpy is the system's, of which a sanitizer knows. */
static void perform(const struct comus_effect *e, const unsigned long *args) {
    void *at = (void *)spot(&e->at, args);
    switch (e->doing) {
    case COMUS_READS: {
        void *copy = malloc(e->length);
        memcpy(copy, at, e->length);
        free(copy);
        break;
    }
    case COMUS_WRITES:
        memcpy(at, e->bytes, e->length);
        break;
    case COMUS_POINTS: {
        unsigned long p = spot(&e->to, args);
        memcpy(at, &p, sizeof p);
        break;
    }
    case COMUS_MAKES:
        made[e->at.index] = comus_alloc(e->length);
        break;
    }
}

static unsigned long perform_all(unsigned long number, const unsigned long *args) {
    const struct comus_call *c = next(number);
    next_call[self]++;
    for (unsigned i = c->first; i < c->end; i++)
        perform(&comus_effects[i], args);
    return spot(&c->result, args);
}

unsigned long comus_outside(unsigned long thread, unsigned long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
                            unsigned long e, unsigned long f, unsigned long g, unsigned long h, unsigned long i, unsigned long j, unsigned long k,
                            unsigned long l, unsigned long m, unsigned long n, unsigned long o, unsigned long p) {
    unsigned long args[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    comus_turn(thread, number);
    unsigned long r = perform_all(number, args);
    comus_done(thread, number);
    return r;
}

unsigned long comus_havoc(unsigned long thread, unsigned long number, unsigned long p, unsigned long n) {
    if (n)
        perform_all(number, &p);
    return 0;
}

/* is_last tells whether the thread does the last thing of the run. */
static int is_last(void) { return get(&threads) == 1 ? !comus_nturns : in_turn && left == 1 && get(&turn) + 1 == comus_nturns; }

void comus_assert(long c, const char *name) {
    if (!c && comus_fails && doing == comus_fails && is_last())
        finish();
    if (!c)
        out_of_step("fails an assertion: %s", name);
}

void comus_undefined(long c, const char *check, const char *why) {
    if (!c)
        out_of_step("does what is an error: %s", why);
}

void comus_unreachable(const char *why) { out_of_step("is where it should not be: %s", why); }

void comus_assume(long c) {
    if (!c)
        out_of_step("is where the program assumes what does not hold");
}

void comus_await(long c) {
    if (!c && is_at_end())
        hang(0);
    if (!c)
        out_of_step("has to wait for what holds in the run");
}

void comus_await_from(long c, long giver) { comus_await(c); }

void comus_atomic_begin(void) {}
void comus_atomic_end(void) {}

void comus_lock(void *p) {
    int *lock = p;
    if (is_at_end()) {
        if (*lock)
            hang(lock);
        behind();
    }
    if (*lock)
        out_of_step("waits for a lock that is free in the run");
    *lock = self + 1;
}

void comus_unlock(void *p) {
    int *lock = p;
    if (*lock != (int)self + 1)
        out_of_step("gives back a lock that it does not hold");
    *lock = 0;
}

struct start { void (*f)(void *, void *, void *); void *a, *b, *c; unsigned thread; };

static void *run(void *p) {
    struct start s = *(struct start *)p;
    free(p);
    self = s.thread;
    comus_init_thread();
    s.f(s.a, s.b, s.c);
    comus_thread_exit();
    return 0;
}

/* Threads have the numbers of the run, because their creations are turns. */
long comus_thread_create(void *f, void *a, void *b, void *c) {
    pthread_attr_t attr;
    struct start *s = malloc(sizeof *s);
    unsigned n = get(&threads);
    if (n >= comus_nthreads)
        out_of_step("creates a thread that there is not in the run");
    *s = (struct start){(void (*)(void *, void *, void *))f, a, b, c, n};
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, comus_nthreads <= FEW ? STACK : SMALL_STACK);
    __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST);
    if (pthread_create(&ids[n], &attr, run, s) != 0)
        out_of_step("cannot create a thread");
    return n;
}

/* comus_thread_exit ends a thread, in the turn that it has taken. */
void comus_thread_exit(void) {
    __atomic_store_n(&ended[self], 1, __ATOMIC_SEQ_CST);
    comus_done(self, 0);
    if (self == 0)
        forever();
    pthread_exit(0);
}

long comus_thread_self(void) { return self; }

long comus_thread_ended(comus_u64 id) {
    int yes = id < comus_nthreads && __atomic_load_n(&ended[id], __ATOMIC_SEQ_CST);
    if (yes)
        comus_joined = id;
    return yes;
}

/* comus_really_join is for after the end of a thread. */
void comus_really_join(long thread) {
    if (thread > 0 && ids[thread])
        pthread_join(ids[thread], 0);
}

long comus_thread_count(void) { return get(&threads); }
long comus_thread_many(long here) { return here & 0; }

void comus_stop(int status) { out_of_step("ends the program, which goes on in the run"); }
void comus_exit(int status) { comus_stop(status); }
void comus_trap(void) { comus_stop(0); }

/* give_input makes the standard input what it was. */
static void give_input(void) {
    int fd = memfd_create("comus", 0);
    unsigned long n = 0;
    while (fd >= 0 && n < comus_nstdin) {
        long k = write(fd, comus_stdin + n, comus_nstdin - n);
        if (k <= 0)
            break;
        n += k;
    }
    if (fd < 0 || n < comus_nstdin || lseek(fd, 0, SEEK_SET) != 0 || dup2(fd, 0) != 0)
        out_of_step("gets no input");
}

/* The program begins here, before its function main would be called: that is the user's, also for a debugger. */
__attribute__((constructor)) static void begin(void) {
    int n = 0;
    while (comus_args[n])
        n++;
    ended = calloc(comus_nthreads + 1, 1);
    ids = calloc(comus_nthreads + 1, sizeof *ids);
    next_value = calloc(comus_nthreads + 1, sizeof *next_value);
    got = calloc(comus_nthreads + 1, sizeof *got);
    next_call = calloc(comus_nthreads + 1, sizeof *next_call);
    made = calloc(comus_nmade + 1, sizeof *made);
    give_input();
    comus_init();
    comus_init_thread();
    comus_constructors();
    comus_leave(comus_entry(n, comus_args, (char *[]){0}));
}
