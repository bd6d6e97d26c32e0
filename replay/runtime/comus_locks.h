/* Locks, semaphores, pthread_once and barriers: a part of comus_replay.c. */

/* A mutex is its kind in 2 bits, then the number of its holder + 1 in 13, then how
   often the holder has locked it again. Initialisers give the kind. */
enum { KIND = 3, RECURSIVE = 1, HOLDER = 1 << 2, HOLDERS = 0x7ffc, AGAIN = 1 << 15 };

static int holds(unsigned *m) { return (*m & HOLDERS) == HOLDER * (self + 1u); }

/* synchronise takes the turn of a lock operation and returns its kind. */
static int synchronise(unsigned *m, int kinds, const char *what) {
    int kind = kinds, t = held, cell = cell_at(m);
    pthread_mutex_lock(&mutex);
    if (cell >= 0 && t < 0 && (t = find(kinds, cell)) < 0)
        unmatched(0, what, comus_cells[cell].name);
    else if (cell >= 0) {
        if (held < 0)
            take(t);
        kind = access_of(t, kinds, cell)->kind;
    } else if ((kind & COMUS_LOCK) && (*m & HOLDERS)) { /* no other thread unlocks it */
        pthread_mutex_unlock(&mutex);
        if (!(kind & COMUS_R))
            forever();
        return COMUS_R;
    }
    if (kind & COMUS_LOCK) {
        if ((*m & HOLDERS) && cell >= 0)
            out_of_step("locks a mutex that thread %d has", (*m & HOLDERS) / HOLDER - 1);
        *m = (*m & KIND) + HOLDER * (self + 1u);
    } else if (kind & COMUS_UNLOCK) {
        *m &= KIND;
    }
    if (t >= 0 && depth > 0)
        held = t;
    else if (t >= 0)
        finish(t);
    pthread_mutex_unlock(&mutex);
    return kind;
}

/* lock locks a mutex. failure, if not 0, is the result if it is taken; again that of
   an error-checking one that this thread holds. */
static int lock(unsigned *m, int failure, int again) {
    if ((*m & KIND) && holds(m)) {
        if ((*m & KIND) != RECURSIVE)
            return again;
        *m += AGAIN;
        return 0;
    }
    if (!failure)
        return synchronise(m, COMUS_LOCK, "locks"), 0;
    return synchronise(m, COMUS_LOCK | COMUS_R, "tries to lock") & COMUS_LOCK ? 0 : failure;
}

int comus_lock(void *m) { return lock(m, 0, DEADLOCK); }

int comus_trylock(void *m) { return lock(m, BUSY, BUSY); }

int comus_timedlock(void *m) { return lock(m, TIMEDOUT, DEADLOCK); }

int comus_unlock(void *p) {
    unsigned *m = p;
    if ((*m & KIND) && !holds(m))
        return PERMISSION;
    if ((*m & KIND) && *m / AGAIN > 0)
        return *m -= AGAIN, 0;
    synchronise(m, COMUS_UNLOCK, "unlocks");
    return 0;
}

int comus_wait(void *p) {
    unsigned *m = p;
    if ((*m & KIND) && (!holds(m) || *m / AGAIN > 0))
        return holds(m) ? 0 : PERMISSION;
    comus_unlock(m);
    return comus_lock(m);
}

int comus_mtx_init(void *m, int kind) {
    *(unsigned *)m = kind & 1;
    return 0;
}

int comus_mutex_init(void *m, const void *attr) {
    unsigned kind = attr ? *(const unsigned *)attr : 0;
    *(unsigned *)m = kind < KIND ? kind : 0;
    return 0;
}

/* comus_destroy is called if the execution looks at the result: it is BUSY if some
   thread holds the mutex. */
int comus_destroy(void *p) {
    unsigned *m = p;
    int cell = cell_at(m), t = held, busy;
    pthread_mutex_lock(&mutex);
    if (cell >= 0 && t < 0 && (t = find(COMUS_R, cell)) < 0)
        unmatched(0, "destroys", comus_cells[cell].name);
    else if (cell >= 0 && held < 0)
        take(t);
    busy = (*m & HOLDERS) != 0;
    if (cell >= 0 && depth > 0)
        held = t;
    else if (cell >= 0 && t >= 0)
        finish(t);
    pthread_mutex_unlock(&mutex);
    return busy ? BUSY : 0;
}

/* change takes the turn of an operation on a library object, which is an integer.
   It needs min <= *x <= max, adds by to it and returns 1. Otherwise it returns 0 if
   the schedule has it fail (try), and is out of step if not. */
static int change(void *p, int min, int max, int by, int try, const char *what) {
    int *x = p, cell, t, ready;
    pthread_mutex_lock(&mutex);
    cell = cell_at(x);
    t = held;
    if (cell >= 0 && t < 0 && (t = find(COMUS_R | COMUS_W, cell)) < 0)
        unmatched(0, what, comus_cells[cell].name);
    if (t >= 0 && held < 0)
        take(t);
    ready = *x >= min && *x <= max;
    if (!ready && !try)
        out_of_step("%s an object that is not ready", what);
    if (t >= 0 && depth == 0 && ready != (access_of(t, COMUS_W, cell) != 0))
        out_of_step("%s an object, and the result is another one (line %d)", what, comus_turns[t].line);
    if (ready)
        *x += by;
    if (t >= 0 && depth > 0)
        held = t;
    else if (t >= 0)
        finish(t);
    pthread_mutex_unlock(&mutex);
    return ready;
}

enum { MOST = 0x7fffffff };

int comus_sem_post(void *s) { return !change(s, 0, MOST - 1, 1, 0, "posts"); }

int comus_sem_wait(void *s) { return !change(s, 1, MOST, -1, 0, "waits for"); }

int comus_sem_try(void *s) { return change(s, 1, MOST, -1, 1, "tries") ? 0 : -1; }

/* A read-write lock is the number of its readers, or -1 - t if thread t writes. */
int comus_rdlock(void *l) { return !change(l, 0, MOST - 1, 1, 0, "locks"); }

int comus_wrlock(void *l) { return !change(l, 0, 0, -1 - self, 0, "locks"); }

int comus_tryrdlock(void *l) { return change(l, 0, MOST - 1, 1, 1, "tries to lock") ? 0 : BUSY; }

int comus_trywrlock(void *l) { return change(l, 0, 0, -1 - self, 1, "tries to lock") ? 0 : BUSY; }

/* Only the holder changes the sign of the lock while it has it. */
int comus_rwunlock(void *l) {
    int writes = *(volatile int *)l == -1 - self;
    return writes ? !change(l, -1 - self, -1 - self, 1 + self, 0, "unlocks") : !change(l, 1, MOST, -1, 0, "unlocks");
}

/* A pthread_once_t is 0 before, 1 during and 2 after the call. */
int comus_once(void *o, void (*f)(void)) {
    if (change(o, 0, 0, 1, 1, "calls once by")) {
        f();
        change(o, 1, 1, 1, 0, "is done with");
    }
    return 0;
}

/* A barrier is the number of threads it waits for, and how many ever came. */
enum { COUNT = 511, CAME = 512 };

/* write_turn takes this thread's turn that writes a library object; -1 if none does. */
static int write_turn(int cell, const char *what) {
    int t = find(COMUS_W, cell);
    if (t < 0)
        unmatched(0, what, comus_cells[cell].name);
    else
        take(t);
    return t;
}

int comus_barrier_init(void *p, unsigned count) {
    pthread_mutex_lock(&mutex);
    int cell = cell_at(p), t = cell < 0 ? -1 : write_turn(cell, "initialises");
    *(unsigned *)p = count;
    if (t >= 0)
        finish(t);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int comus_barrier_wait(void *p) {
    unsigned *b = p, last;
    pthread_mutex_lock(&mutex);
    int cell = cell_at(p), t = cell < 0 ? -1 : write_turn(cell, "waits at");
    *b += CAME;
    last = *b / CAME % (*b & COUNT ? *b & COUNT : 1) == 0;
    if (t >= 0)
        finish(t);
    if (!last && (t = cell < 0 ? -1 : find(COMUS_R, cell)) >= 0) {
        take(t);
        finish(t);
    } else if (!last) {
        if (has_turns())
            out_of_step("waits at a barrier, which is not its next turn");
        pthread_mutex_unlock(&mutex);
        forever();
    }
    pthread_mutex_unlock(&mutex);
    return last ? -1 : 0;
}
