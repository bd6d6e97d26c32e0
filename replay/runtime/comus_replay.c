/* Plays an execution: real threads, of which the one whose turn it is goes on.

   Before an access of memory that several threads use, and before what concerns threads and locks, a thread waits
   for its turn; the turn has to be for this instruction, and what it reads has to be what it reads in the
   execution. Otherwise the program is out of step, says where and stops with exit code 3. */
#define _GNU_SOURCE
#include "comus_cir.h"
#include "comus_replay.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OUT_OF_STEP = 3, STACK = 256 << 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static volatile unsigned turn;    /* the number of turns that were taken */
static unsigned threads = 1;      /* that were created */
static volatile char *ended;      /* by thread */
static volatile char *gone;       /* threads that take no more steps */
static unsigned *next_input;      /* by thread */
static __thread unsigned self;
static __thread int has_turn;

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
    fprintf(stderr, " (after %u of %u turns)\n", turn, comus_nturns);
    fflush(stderr);
    _exit(OUT_OF_STEP);
}

/* check_waits is for when nobody will take the next turn. */
static void check_waits(void) {
    if (turn < comus_nturns && gone[comus_turns[turn].thread])
        out_of_step("waits for thread %u, which takes no more steps: %s", comus_turns[turn].thread, place(comus_turns[turn].number));
}

/* forever is the end of a thread that the execution leaves where it is. */
__attribute__((noreturn)) static void forever(void) {
    pthread_mutex_lock(&mutex);
    gone[self] = 1;
    check_waits();
    pthread_mutex_unlock(&mutex);
    for (;;)
        pause();
}

static int at_end(void) { return turn == comus_nturns && self == comus_failing; }

static void pass(void) {
    unsigned last = comus_turns[turn].thread;
    turn++;
    check_waits();
    if (turn == comus_nturns || comus_turns[turn].thread != last)
        pthread_cond_broadcast(&moved);
}

unsigned long comus_turn(unsigned long thread, unsigned long number, void *p) {
    pthread_mutex_lock(&mutex);
    while (turn < comus_nturns && comus_turns[turn].thread != self)
        pthread_cond_wait(&moved, &mutex);
    has_turn = turn < comus_nturns;
    if (!has_turn && self != comus_failing) {
        pthread_mutex_unlock(&mutex);
        forever();
    }
    if (has_turn && comus_turns[turn].number != number)
        out_of_step("is at %s instead of %s", place(number), place(comus_turns[turn].number));
    pthread_mutex_unlock(&mutex);
    return 0;
}

unsigned long comus_done(unsigned long thread, unsigned long number, unsigned long value, unsigned long kind) {
    pthread_mutex_lock(&mutex);
    if (has_turn && comus_compares && comus_turns[turn].known && comus_turns[turn].value != value)
        out_of_step("reads %ld instead of %ld at %s", value, comus_turns[turn].value, place(number));
    if (has_turn)
        pass();
    has_turn = 0;
    pthread_mutex_unlock(&mutex);
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
        out_of_step("has to wait for what holds in the execution");
}

void comus_atomic_begin(void) {}
void comus_atomic_end(void) {}

void comus_lock(void *p) {
    int *lock = p;
    if (*lock < 0)
        fail("error", "lock of a mutex that was destroyed");
    if (*lock == (int)self + 1 && at_end())
        fail("error", "lock of a mutex that the thread holds");
    if (*lock)
        out_of_step("takes a lock that thread %d holds", *lock - 1);
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
    pthread_t id;
    pthread_attr_t attr;
    struct start *s = malloc(sizeof *s);
    if (threads >= comus_nthreads)
        forever();
    *s = (struct start){(void (*)(void *, void *, void *))f, a, b, c, threads};
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&id, &attr, run, s) != 0)
        out_of_step("cannot create a thread");
    return threads++;
}

/* comus_thread_exit ends a thread, in the turn that it has taken. */
void comus_thread_exit(void) {
    if (self == comus_failing)
        out_of_step("ends without failing the assertion");
    pthread_mutex_lock(&mutex);
    ended[self] = 1;
    gone[self] = 1;
    if (has_turn)
        pass();
    has_turn = 0;
    pthread_mutex_unlock(&mutex);
    if (self == 0)
        forever();
    pthread_exit(0);
}

long comus_thread_self(void) { return self; }
long comus_thread_ended(comus_u64 id) { return id < comus_nthreads && ended[id]; }
long comus_thread_count(void) { return threads; }

void comus_stop(int status) {
    if (self == comus_failing)
        out_of_step("ends the program without failing the assertion");
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
    next_input = calloc(comus_nthreads + 1, sizeof *next_input);
    comus_init();
    comus_init_thread();
    comus_constructors();
    comus_leave(comus_entry(n, comus_args, (char *[]){0}));
}
