/* Runs the threads of a program in the order that comus found. Every access to a
   shared scalar waits until it is the next turn of the schedule, and has to be the
   one of that turn, with its value: otherwise the program is out of step and
   ends with code 3. Threads that the schedule leaves in the middle stay there. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comus_replay.h"

enum { OUT_OF_STEP = 3, PATIENCE = 20, PERMISSION = 1, BUSY = 16, DEADLOCK = 35, TIMEDOUT = 110, RING = 64, BLOCKS = 256 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn;          /* the next turn */
static char *done;        /* by turn */
static char *input_used;  /* by input */
static pthread_t *threads;

static __thread int self, depth, cursor;
static __thread int held = -1; /* the turn that an atomic section has taken */
static __thread int last = -1; /* the last turn of this thread */
static __thread long long ring[RING];
static __thread int next_slot;

static void out_of_step(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "comus replay: out of step at turn %d of %d: thread %d ", turn + 1, comus_nturns, self);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    fflush(stderr);
    _exit(OUT_OF_STEP);
}

static void forever(void) { for (;;) pause(); }

static void advance(void) {
    while (turn < comus_nturns && done[turn])
        turn++;
    pthread_cond_broadcast(&moved);
}

/* pause_for_others waits for progress, but not for ever. */
static void pause_for_others(const char *what) {
    struct timespec until;
    int before = turn;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    if (pthread_cond_timedwait(&moved, &mutex, &until) != 0 && turn == before)
        out_of_step("waits for %s, and thread %d does not take its turn (line %d)", what,
            turn < comus_nturns ? comus_turns[turn].thread : -1, turn < comus_nturns ? comus_turns[turn].line : 0);
}

static int cell_at(volatile void *p) {
    for (int c = 0; c < comus_ncells; c++)
        if (comus_cells[c].addr == p)
            return c;
    return -1;
}

static const struct comus_access *access_of(int t, int kinds, int cell) {
    for (int i = 0; i < comus_turns[t].count; i++) {
        const struct comus_access *a = &comus_accesses[comus_turns[t].first + i];
        if ((a->kind & kinds) && (cell < 0 || a->cell < 0 || a->cell == cell))
            return a;
    }
    return 0;
}

/* find returns this thread's next turn with such an access, or -1. */
static int find(int kinds, int cell) {
    for (int t = cursor; t < comus_nturns; t++) {
        if (comus_turns[t].thread != self)
            continue;
        if (access_of(t, kinds, cell))
            return t;
        if (!comus_turns[t].optional)
            return -1;
    }
    return -1;
}

static int has_turns(void) {
    for (int t = cursor; t < comus_nturns; t++)
        if (comus_turns[t].thread == self && !comus_turns[t].optional)
            return 1;
    return 0;
}

/* take waits for turn t; those of this thread before it are left out. */
static void take(int t) {
    for (int s = cursor; s < t; s++)
        if (comus_turns[s].thread == self)
            done[s] = 1;
    advance();
    while (turn != t)
        pause_for_others("its turn");
}

static void finish(int t) {
    done[t] = 1;
    cursor = t + 1;
    last = t;
    advance();
}

/* unmatched decides about an operation that no turn stands for: it returns if it
   may go on without one. */
static void unmatched(int kind, const char *what, const char *name) {
    if (has_turns()) {
        if (kind == COMUS_R)
            return; /* the value does not matter */
        out_of_step("%s %s, which is not its next turn", what, name);
    }
    if (comus_ended[self] || self == comus_failing)
        return;
    pthread_mutex_unlock(&mutex);
    forever();
}

static int differs(const struct comus_cell *c, long long value) {
    volatile void *p = c->addr;
    unsigned long size = c->size;
    if (c->pointer)
        return !*(void *volatile *)p != !value;
    return size <= sizeof value && memcmp((void *)p, &value, size) != 0;
}

/* one_access reads (to != 0) or writes (from != 0) a cell in its turn; with neither
   it only stands for a write that has happened. */
static void one_access(int cell, void *to, const void *from, int write) {
    struct comus_cell *c = &comus_cells[cell];
    int kind = write ? COMUS_W : COMUS_R, t = held;
    const struct comus_access *a;
    if (t < 0) {
        t = find(kind, cell);
        if (t < 0) {
            if (!write && last >= 0 && (a = access_of(last, COMUS_R, cell))) {
                memcpy(to, c->pointer ? (void *)c->addr : &a->value, c->size); /* once more within a step */
                return;
            }
            unmatched(kind, write ? "writes" : "reads", c->name);
        } else {
            take(t);
        }
    }
    if (from)
        memcpy((void *)c->addr, from, c->size);
    if (to)
        memcpy(to, (void *)c->addr, c->size);
    if (t < 0)
        return;
    if (depth > 0) {
        held = t;
        return;
    }
    a = access_of(t, kind, cell);
    if (differs(c, a->value))
        out_of_step("%s %s, and its value is not %lld (line %d)", write ? "writes" : "reads", c->name, a->value, comus_turns[t].line);
    finish(t);
}

/* next_cell returns the first cell from p on that is before end, or -1. */
static int next_cell(volatile char *p, volatile char *end) {
    int found = -1;
    for (int c = 0; c < comus_ncells; c++) {
        volatile char *at = comus_cells[c].addr;
        if (at && comus_cells[c].size && at >= p && at + comus_cells[c].size <= end && (found < 0 || at < (volatile char *)comus_cells[found].addr))
            found = c;
    }
    return found;
}

/* accesses does so for all cells in n bytes at p, in their order, and for the
   bytes between. */
static void accesses(volatile void *p, unsigned long n, char *to, const char *from, int write) {
    volatile char *start = p, *end = start + n;
    for (volatile char *at = start; at < end;) {
        int c = next_cell(at, end);
        volatile char *stop = c < 0 ? end : comus_cells[c].addr;
        if (to)
            memcpy(to + (at - start), (void *)at, stop - at);
        if (from)
            memcpy((void *)at, from + (at - start), stop - at);
        if (c < 0)
            break;
        at = stop + comus_cells[c].size;
        one_access(c, to ? to + (stop - start) : 0, from ? from + (stop - start) : 0, write);
    }
}

/* copy copies the scalars one after the other; it reads them, writes them, or each at once. */
static void copy(volatile void *to, const volatile void *from, unsigned long n, char *v, int reads, int writes) {
    const unsigned long most = sizeof(long long) * 2;
    for (unsigned long off = 0, size; off < n; off += size) {
        volatile char *t = (volatile char *)to + off, *f = (volatile char *)from + off;
        int a = next_cell(t, t + (n - off)), b = next_cell(f, f + (n - off));
        unsigned long x = a < 0 ? n - off : (volatile char *)comus_cells[a].addr - t;
        unsigned long y = b < 0 ? n - off : (volatile char *)comus_cells[b].addr - f;
        size = x < y ? x : y;
        if (size == 0)
            size = x == 0 ? comus_cells[a].size : comus_cells[b].size;
        if (size > most)
            size = most;
        pthread_mutex_lock(&mutex);
        if (reads)
            accesses(f, size, v + off, 0, 0);
        if (writes)
            accesses(t, size, 0, v + off, 1);
        pthread_mutex_unlock(&mutex);
        if (size == 0)
            break;
    }
}

/* comus_copy is memmove: what overlaps is read before any of it is written. */
void *comus_copy(volatile void *to, const volatile void *from, unsigned long n) {
    volatile char *t = to;
    const volatile char *f = from;
    char *v = malloc(n + 16); /* the last scalar may be larger than what is left */
    if (t < f + n && f < t + n) {
        copy(to, from, n, v, 1, 0);
        copy(to, from, n, v, 0, 1);
    } else {
        copy(to, from, n, v, 1, 1);
    }
    free(v);
    return (void *)to;
}

static __thread int opened;

/* comus_open begins an access to a bit-field, which the program does itself, and
   comus_close ends it, with its value. Both happen in one go. */
void comus_open(volatile void *p, int kind) {
    pthread_mutex_lock(&mutex);
    int cell = cell_at(p);
    opened = held;
    if (cell < 0 || held >= 0)
        return;
    if ((opened = find(kind, cell)) < 0)
        unmatched(kind, kind == COMUS_W ? "writes" : "reads", comus_cells[cell].name);
    else
        take(opened);
}

void comus_close(volatile void *p, int kind, long long value) {
    int t = opened, cell = cell_at(p);
    const struct comus_access *a = t < 0 ? 0 : access_of(t, kind, cell);
    if (cell >= 0 && t >= 0 && depth > 0) {
        held = t;
    } else if (cell >= 0 && t >= 0) {
        if (a->value != value)
            out_of_step("has another value than %lld in %s (line %d)", a->value, comus_cells[cell].name, comus_turns[t].line);
        finish(t);
    }
    pthread_mutex_unlock(&mutex);
}

void *comus_read(volatile void *p, unsigned long n) {
    if (n > sizeof ring / 2)
        return (void *)p;
    int slots = (n + sizeof ring[0] - 1) / sizeof ring[0];
    if (next_slot + slots > RING)
        next_slot = 0;
    char *to = (char *)&ring[next_slot];
    next_slot += slots;
    pthread_mutex_lock(&mutex);
    accesses(p, n, to, 0, 0);
    pthread_mutex_unlock(&mutex);
    return to;
}

void comus_write(volatile void *p, volatile void *v, unsigned long n) {
    pthread_mutex_lock(&mutex);
    accesses(p, n, 0, (const char *)v, 1);
    pthread_mutex_unlock(&mutex);
}

void comus_initialised(volatile void *p, unsigned long n) {
    pthread_mutex_lock(&mutex);
    accesses(p, n, 0, 0, 1);
    pthread_mutex_unlock(&mutex);
}

void comus_bind(int cell, int thread, volatile void *p, unsigned long n, int pointer) {
    if (thread >= 0 && thread != self)
        return;
    pthread_mutex_lock(&mutex);
    comus_cells[cell].addr = p;
    comus_cells[cell].size = n;
    comus_cells[cell].pointer = pointer;
    pthread_mutex_unlock(&mutex);
}

enum { HEADER = 16 };

/* comus_alloc returns memory after its size. It is never freed: in the execution
   nobody uses it again. */
void *comus_alloc(unsigned long n) {
    char *p = calloc(1, n + HEADER);
    if (!p)
        out_of_step("gets no memory");
    *(unsigned long *)p = n;
    return p + HEADER;
}

/* comus_moves copies to new memory what fits of old memory. */
void comus_moves(void *to, void *from) {
    if (!from)
        return;
    unsigned long n = *(unsigned long *)((char *)to - HEADER), old = *(unsigned long *)((char *)from - HEADER);
    comus_copy(to, from, n < old ? n : old);
}

/* comus_block returns how many blocks this thread has allocated at a line before. */
int comus_block(int line) {
    static __thread struct { int line, count; } seen[BLOCKS];
    int i = 0;
    while (i < BLOCKS - 1 && seen[i].line != line && seen[i].line != 0)
        i++;
    seen[i].line = line;
    return seen[i].count++;
}

int comus_is(int thread) { return self == thread; }

/* comus_holds gives a scalar of a new block what it holds in the execution. */
void comus_holds(volatile void *p, unsigned long n, int pointer, long long value, int cell) {
    memcpy((void *)p, &value, n < sizeof value ? n : sizeof value);
    if (cell >= 0)
        comus_bind(cell, self, p, n, pointer);
}

long long comus_nondet(int site) {
    for (int i = 0; i < comus_ninputs; i++)
        if (comus_inputs[i].thread == self && comus_inputs[i].site == site && !input_used[i]) {
            input_used[i] = 1;
            return comus_inputs[i].value;
        }
    return 0;
}

void comus_any(int site, volatile void *p, unsigned long n) {
    long long v = comus_nondet(site);
    memcpy((void *)p, &v, n < sizeof v ? n : sizeof v);
}

void comus_begin(void) { depth++; }

void comus_end(void) {
    if (--depth > 0 || held < 0)
        return;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < comus_turns[held].count; i++) {
        const struct comus_access *a = &comus_accesses[comus_turns[held].first + i];
        if (a->kind == COMUS_W && differs(&comus_cells[a->cell], a->value))
            out_of_step("wrote %s, and its value is not %lld (line %d)", comus_cells[a->cell].name, a->value, comus_turns[held].line);
    }
    finish(held);
    held = -1;
    pthread_mutex_unlock(&mutex);
}

#include "comus_locks.h"

/* comus_next_write returns what this thread writes next to p; other if it does not. */
long long comus_next_write(volatile void *p, long long other) {
    pthread_mutex_lock(&mutex);
    int cell = cell_at(p), t = cell < 0 ? -1 : find(COMUS_W, cell);
    if (t >= 0)
        other = access_of(t, COMUS_W, cell)->value;
    pthread_mutex_unlock(&mutex);
    return other;
}

/* comus_spurious tells whether a weak compare-exchange, which has read p, fails whatever
   it found: its turn does not write p. If no turn tells, that is an input. */
int comus_spurious(int site, volatile void *p) {
    pthread_mutex_lock(&mutex);
    int cell = cell_at(p), known = site >= 0 && cell >= 0 && held >= 0 && depth == 1;
    int fails = known && !access_of(held, COMUS_W, cell);
    pthread_mutex_unlock(&mutex);
    return known ? fails : site >= 0 && comus_nondet(site);
}

struct start { void *(*f)(void *); void *arg; int thread, atomic; };

/* leave gives up the turns that this thread may leave out. */
static void leave(void) {
    pthread_mutex_lock(&mutex);
    if (has_turns())
        out_of_step("comes to its end before its last turn");
    if (self == comus_failing)
        out_of_step("does not fail the assertion");
    for (int t = cursor; t < comus_nturns; t++)
        if (comus_turns[t].thread == self)
            done[t] = 1;
    advance();
    pthread_mutex_unlock(&mutex);
}

static void *run(void *p) {
    struct start s = *(struct start *)p;
    free(p);
    self = s.thread;
    if (s.atomic)
        comus_begin();
    void *v = s.f(s.arg);
    comus_exit(v);
}

void comus_exit(void *v) {
    while (depth > 0)
        comus_end();
    leave();
    if (self == 0)
        forever();
    pthread_exit(v);
}

int comus_create(unsigned long *id, void *(*f)(void *), void *arg, int atomic) {
    int t = cursor;
    while (t < comus_nturns && (comus_turns[t].thread != self || !access_of(t, COMUS_CREATE, -1)))
        t++;
    if (t == comus_nturns)
        forever();
    unsigned long thread = access_of(t, COMUS_CREATE, -1)->cell;
    if (id)
        comus_write(id, &thread, sizeof thread);
    struct start *s = malloc(sizeof *s);
    *s = (struct start){f, arg, thread, atomic};
    pthread_mutex_lock(&mutex);
    if (find(COMUS_CREATE, -1) != t)
        out_of_step("creates a thread, which is not its next turn");
    take(t);
    if (pthread_create(&threads[thread], 0, run, s) != 0)
        out_of_step("cannot create a thread");
    finish(t);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int comus_join(unsigned long id, void **result) {
    void *v = 0;
    if (id == comus_self())
        return 35; /* EDEADLK */
    pthread_mutex_lock(&mutex);
    int t = find(COMUS_JOIN, -1);
    if (t < 0) {
        unmatched(0, "joins", "a thread");
        pthread_mutex_unlock(&mutex);
        forever();
    }
    take(t);
    pthread_mutex_unlock(&mutex);
    if (id == 0 || id >= (unsigned long)comus_nthreads || pthread_join(threads[id], &v) != 0)
        out_of_step("joins thread %lu, which cannot be joined", id);
    pthread_mutex_lock(&mutex);
    finish(t);
    pthread_mutex_unlock(&mutex);
    if (result)
        comus_write(result, &v, sizeof v);
    return 0;
}

/* comus_self returns the id that comus gives the thread: main's is 256, the others have
   their numbers. */
unsigned long comus_self(void) { return self ? (unsigned long)self : 256; }

/* comus_stop is an assumption that does not hold, or the end of the program: the
   schedule goes on without this thread. */
void comus_stop(void) {
    leave();
    forever();
    _exit(OUT_OF_STEP);
}

void comus_fail(const char *text) {
    pthread_mutex_lock(&mutex);
    if (has_turns())
        out_of_step("fails %s before its last turn", text);
    if (self != comus_failing) {
        pthread_mutex_unlock(&mutex);
        forever();
    }
    for (;;) {
        for (int t = cursor; t < comus_nturns; t++)
            if (comus_turns[t].thread == self)
                done[t] = 1;
        advance();
        int t = turn;
        while (t < comus_nturns && (done[t] || comus_turns[t].optional))
            t++;
        if (t == comus_nturns)
            break;
        pause_for_others("the others to fail");
    }
    fprintf(stderr, "comus replay: thread %d: assertion fails: %s\n", self, text);
    fflush(stderr);
    abort();
}

/* comus_returns ends main, whose variables others may still use. */
int comus_returns(int status) {
    leave();
    forever();
    _exit(status);
}

int comus_main();

int main(int argc, char **argv) {
    done = calloc(comus_nturns + 1, 1);
    input_used = calloc(comus_ninputs + 1, 1);
    threads = calloc(comus_nthreads + 1, sizeof *threads);
    comus_main(argc, argv);
    leave();
    forever();
}
