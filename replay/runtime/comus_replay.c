/* Plays an execution: real threads, of which the one whose turn it is goes on.

   Before an access of memory that several threads use, and before what concerns threads and locks, a thread waits
   for its turn; the turn has to be for this instruction, and what it reads has to be what it reads in the
   execution. Otherwise the program is out of step, says where and stops with exit code 3.

   This file is compiled without a sanitizer, and threads wait for their turns by system calls alone: so for ThreadSanitizer nothing here
   orders what the threads do. Only creations and joins are those of the system. */
#define _GNU_SOURCE
#include "comus_cir.h"
#include "comus_replay.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { OUT_OF_STEP = 3, DEADLOCK = 5, UNNOTICED = 6, STACK = 256 << 20 };

static unsigned turn;             /* the number of turns that were taken */
static unsigned threads = 1;      /* that were created */
static char *ended;               /* by thread */
static char *gone;                /* threads that take no more steps */
static unsigned *next_input;      /* by thread */
static pthread_t *ids;            /* by thread */
static unsigned arrived, done;    /* threads before and behind the accesses of a race; that wait */
static int *holders;              /* by thread: who holds what it waits for, plus 1 */
__thread unsigned comus_self;
__thread long comus_joined = -1;
static __thread int has_turn, at_stop, passed;
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

static unsigned add_one(unsigned *p) {
    unsigned n = __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, p, FUTEX_WAKE_PRIVATE, 1 << 20, 0, 0, 0);
    return n;
}

static const char *place(unsigned number) {
    for (unsigned i = 0; i < comus_nsites; i++)
        if (comus_sites[i].number == number)
            return comus_sites[i].place;
    return "an instruction";
}

__attribute__((format(printf, 1, 2), noreturn)) static void out_of_step(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "comus replay: out of step: thread %u ", self);
    vfprintf(stderr, format, ap);
    fprintf(stderr, " (after %u of %u turns)\n", get(&turn), comus_nturns);
    fflush(stderr);
    _exit(OUT_OF_STEP);
}

/* check_waits is for when nobody will take the next turn. */
static void check_waits(void) {
    unsigned k = get(&turn);
    if (k < comus_nturns && __atomic_load_n(&gone[comus_turns[k].thread], __ATOMIC_SEQ_CST))
        out_of_step("waits for thread %u, which takes no more steps: %s", comus_turns[k].thread, place(comus_turns[k].number));
}

/* forever is the end of a thread that the execution leaves where it is. */
__attribute__((noreturn)) static void forever(void) {
    __atomic_store_n(&gone[self], 1, __ATOMIC_SEQ_CST);
    check_waits();
    for (;;)
        pause();
}

static int at_end(void) { return get(&turn) == comus_nturns && self == comus_failing; }

/* pass is called by the thread that has the turn, so nobody else changes it. */
static void pass(void) {
    add_one(&turn);
    check_waits();
}

/* finish ends the program behind the last access of a race: what sanitizers have to say they say now. */
static void finish(void) {
    fprintf(stderr, "comus replay: %s\n", comus_what);
    fflush(stderr);
#ifndef COMUS_SANITIZED
    abort();
#endif
    exit(1);
}

/* stop_before is where a thread is before one of the accesses of a race: it makes it when all threads are there, one after the other,
   which orders nothing. */
static int stop_before(unsigned number) {
    for (unsigned i = 0; i < comus_nstops; i++)
        if (comus_stops[i].thread == self && comus_stops[i].number == number && !at_stop) {
            add_one(&arrived);
            for (unsigned v; (v = get(&arrived)) < comus_nstops;)
                await_change(&arrived, v);
            for (unsigned v; (v = get(&done)) < i;)
                await_change(&done, v);
            return at_stop = 1;
        }
    return at_stop == 1;
}

/* unnoticed is for a program that goes on behind an error. */
static void unnoticed(void) {
    fprintf(stderr, "comus replay: thread %u: went on behind the error, which nothing has noticed: %s\n", self, comus_what);
    fflush(stderr);
    _exit(UNNOTICED);
}

/* waits_at_end returns the place where this thread waits for ever at the end, 0 if it does not. */
static const char *waits_at_end(void) {
    for (unsigned i = 0; i < comus_nstops && comus_end == COMUS_WAITS; i++)
        if (comus_stops[i].thread == self)
            return comus_stops[i].place;
    return 0;
}

/* hang is a thread that waits: for *lock to become 0, or for good. When all of them do, and nothing has happened for two
   seconds, the program says so and ends; with COMUS_HANG in its environment it stays as it is. */
static void hang(volatile int *lock) {
    if (!waits_at_end())
        out_of_step(lock ? "waits for a lock" : "has to wait for what holds in the execution");
    for (unsigned k; (k = get(&turn)) < comus_nturns;)
        await_change(&turn, k);
    holders[self] = lock ? *lock : 0;
    int last = add_one(&arrived) == comus_nstops;
    for (unsigned i = 0; i < 40 || !last || getenv("COMUS_HANG"); i++) {
        await_change(&arrived, comus_nstops);
        if (lock && !*lock)
            out_of_step("gets the lock that it waits for: %s", waits_at_end());
    }
    fprintf(stderr, "comus replay: %s: no thread has moved for 2 seconds\n", comus_what);
    for (unsigned i = 0; i < comus_nstops; i++) {
        const struct comus_stop *s = &comus_stops[i];
        fprintf(stderr, "comus replay: thread %u waits at %s", s->thread, s->place);
        if (holders[s->thread] > 0)
            fprintf(stderr, ", which thread %d holds", holders[s->thread] - 1);
        fprintf(stderr, "\n");
    }
    fflush(stderr);
    _exit(DEADLOCK);
}

unsigned long comus_turn(unsigned long thread, unsigned long number, void *p) {
    unsigned k;
    while ((k = get(&turn)) < comus_nturns && comus_turns[k].thread != self)
        await_change(&turn, k);
    has_turn = k < comus_nturns;
    if (!has_turn && comus_end == COMUS_RACES) {
        if (!stop_before(number))
            forever();
        return 0;
    }
    if (!has_turn && comus_end == COMUS_ERRS && self == comus_failing && passed++)
        unnoticed();
    if (!has_turn && self != comus_failing && !waits_at_end())
        forever();
    if (has_turn && comus_turns[k].number != number)
        out_of_step("is at %s instead of %s", place(number), place(comus_turns[k].number));
    return 0;
}

unsigned long comus_done(unsigned long thread, unsigned long number, unsigned long value, unsigned long kind) {
    unsigned k = get(&turn);
    if (at_stop) {
        at_stop = 2;
        add_one(&done);
        if (get(&done) == comus_nstops)
            finish();
        forever();
    }
    if (has_turn && comus_compares && comus_turns[k].known && comus_turns[k].value != value)
        out_of_step("reads %ld instead of %ld at %s", value, comus_turns[k].value, place(number));
    if (has_turn)
        pass();
    has_turn = 0;
    return 0;
}

unsigned long comus_input(unsigned long thread, unsigned long number) {
    unsigned i = next_input[self];
    while (i < comus_ninputs && comus_inputs[i].thread != self)
        i++;
    next_input[self] = i + 1;
    if (i >= comus_ninputs)
        forever();
    if (comus_inputs[i].number != number)
        out_of_step("gets an input at another instruction than in the execution");
    return comus_inputs[i].value;
}

unsigned long comus_told(unsigned long thread, unsigned long number, unsigned long value) { return comus_input(thread, number); }

static void fail(const char *what, const char *text) {
    if (self != comus_failing)
        forever();
    if (!at_end())
        out_of_step("fails before its last turn: %s", text);
    fprintf(stderr, "comus replay: thread %u: %s: %s\n", self, what, text);
    fflush(stderr);
    abort();
}

void comus_assert(long c, const char *name) {
    if (!c)
        fail("assertion fails", name);
}

void comus_undefined(long c, const char *check, const char *why) {
    if (!c)
        fail("error", why);
}

void comus_unreachable(const char *why) { out_of_step("is where the program has no meaning: %s", why); }

void comus_assume(long c) {
    if (!c)
        forever();
}

void comus_await(long c) {
    if (!c)
        hang(0);
}

void comus_await_from(long c, long giver) { comus_await(c); }

void comus_atomic_begin(void) {}
void comus_atomic_end(void) {}

void comus_lock(void *p) {
    int *lock = p;
    if (*lock < 0)
        fail("error", "lock of a mutex that was destroyed");
    if (*lock == (int)self + 1 && at_end() && comus_end != COMUS_WAITS)
        fail("error", "lock of a mutex that the thread holds");
    if (*lock)
        hang(lock);
    *lock = self + 1;
}

void comus_unlock(void *p) {
    int *lock = p;
    if (*lock != (int)self + 1)
        fail("error", "unlock of a mutex that the thread does not hold");
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

/* Threads have the numbers of the execution, because their creations are turns. */
long comus_thread_create(void *f, void *a, void *b, void *c) {
    pthread_attr_t attr;
    struct start *s = malloc(sizeof *s);
    if (threads >= comus_nthreads)
        forever();
    *s = (struct start){(void (*)(void *, void *, void *))f, a, b, c, threads};
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    if (pthread_create(&ids[threads], &attr, run, s) != 0)
        out_of_step("cannot create a thread");
    return threads++;
}

/* comus_thread_exit ends a thread, in the turn that it has taken. */
void comus_thread_exit(void) {
    if (self == comus_failing && comus_end == COMUS_FAILS)
        out_of_step("ends without failing the assertion");
    if (self == comus_failing && comus_end == COMUS_ERRS && get(&turn) == comus_nturns)
        unnoticed();
    __atomic_store_n(&ended[self], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&gone[self], 1, __ATOMIC_SEQ_CST);
    if (has_turn)
        pass();
    has_turn = 0;
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

long comus_thread_count(void) { return threads; }
long comus_thread_many(long here) { return here & 0; }

void comus_stop(int status) {
    if (self == comus_failing && comus_end == COMUS_FAILS)
        out_of_step("ends the program without failing the assertion");
    if (self == comus_failing && comus_end == COMUS_ERRS)
        unnoticed();
    forever();
}

void comus_exit(int status) { comus_stop(status); }
void comus_trap(void) { comus_stop(0); }

/* The program begins here, before its function main would be called: that is the user's, also for a debugger. */
__attribute__((constructor)) static void begin(void) {
    int n = 0;
    while (comus_args[n])
        n++;
    ended = calloc(comus_nthreads + 1, 1);
    gone = calloc(comus_nthreads + 1, 1);
    ids = calloc(comus_nthreads + 1, sizeof *ids);
    holders = calloc(comus_nthreads + 1, sizeof *holders);
    next_input = calloc(comus_nthreads + 1, sizeof *next_input);
    comus_init();
    comus_init_thread();
    comus_constructors();
    comus_leave(comus_entry(n, comus_args, (char *[]){0}));
}
