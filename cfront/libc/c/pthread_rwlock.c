/* Read-write locks: an integer, and who holds it. Readers do not wait for writers that wait, as in glibc by
   default; where writers are preferred, a reader that gives up may do so for a writer that waits. */
#include "libc.h"

struct rwlock { /* in a pthread_rwlock_t; KIND is in glibc's static initialisers */
  int state;    /* the number of readers, or -(id + 1) of the writer, or DESTROYED */
  int writers;  /* that wait, where readers wait for them */
  int holder;   /* the id + 1 of the only thread that holds it, no thread's if there are several; where it matters */
  int wanting;  /* the same of these writers */
  struct rwlock *self;
#ifdef __LP64__
  char pad[24];
#else
  char pad[4];
#endif
  unsigned char kind;
};
FITS(struct rwlock, pthread_rwlock_t);
enum { DESTROYED = INT_MIN, MOST_READERS = 1 << 28, SEVERAL = 4096 };

/* How many locks this thread holds as a writer: what stands for any number of threads has one id for all. */
static _Thread_local int writing;

/* How many it holds as a reader, and which one; null for several. */
static _Thread_local int reading;
static _Thread_local const struct rwlock *read_lock;

static struct rwlock *rwlock_of(const pthread_rwlock_t *l) { return (struct rwlock *)l; }

/* Adds a thread to n of which who tells, or takes it away: a sum from which the only one is seen. */
static void add(int *who, int n) {
  if (__comus_wakeups() == 1) {
    int me = __comus_me();
    *who = n == 0 ? me : *who + me + SEVERAL;
  }
}

static void take_away(int *who, int n) {
  if (__comus_wakeups() == 1) {
    int me = __comus_me();
    *who = n == 1 ? 0 : *who - me - SEVERAL;
  }
}

static void check(const struct rwlock *l) {
  __comus_undefined(l->state != DESTROYED, "locks", "use of a read-write lock that was destroyed");
}

/* One step of a lock that does not wait; failure if it would. */
static int read_now(struct rwlock *l, int failure) {
  check(l);
  __comus_readers(&l->state);
  if (l->state == MOST_READERS)
    return EAGAIN;
  if (l->state < 0)
    return failure;
  add(&l->holder, l->state);
  l->state++;
  read_lock = reading == 0 || read_lock == l ? l : 0;
  reading++;
  return 0;
}

static int write_now(struct rwlock *l, int failure) {
  check(l);
  __comus_readers(&l->state);
  if (l->state != 0)
    return failure;
  l->state = -__comus_me();
  writing++;
  add(&l->holder, 0);
  return 0;
}

/* The results of locks after which this thread holds the lock, whatever the result is: that it held it already, say, or
   that very many threads read. */
static int is_written(const int *lock, int result) {
  (void)lock;
  return result;
}

static int is_read(const int *lock, int result) {
  (void)lock;
  return result;
}

/* What a lock waits for is read in one step: all that does not change is computed before. mine is the state if
   this thread is the writer. */
static int mine(void) { return writing > 0 ? -__comus_me() : DESTROYED; }

/* The result of a lock by a handler that interrupts the writer, which is the same thread. */
static int denied_in_handler(void) {
  PERHAPS_INTERRUPTED();
  return EDEADLK;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  struct rwlock *l = rwlock_of(lock);
  int own = mine();
  if (INTERRUPTS(l->state < 0 && l->state != DESTROYED, -l->state))
    return denied_in_handler();
  WAITS_FOR(l->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && l->state > 0 && l->writers > 0);
  __comus_atomic_begin();
  if (l->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    __comus_await_from((l->state >= 0 && l->writers == 0) || l->state == own || l->state == DESTROYED,
      l->state < 0 ? -l->state : l->wanting);
  else
    __comus_await_from(l->state >= 0 || l->state == own || l->state == DESTROYED, -l->state);
  int r = read_now(l, EDEADLK);
  __comus_atomic_end();
  return is_read(&l->state, r);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  struct rwlock *l = rwlock_of(lock);
  int own = mine(), first = l->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  if (INTERRUPTS(l->state < 0 && l->state != DESTROYED, -l->state))
    return denied_in_handler();
  WAITS_FOR(l->state > 0);
  if (first) {
    __comus_atomic_begin();
    add(&l->wanting, l->writers);
    l->writers++;
    __comus_atomic_end();
  }
  __comus_atomic_begin();
  __comus_await_from(l->state == 0 || l->state == own || l->state == DESTROYED, l->holder);
  if (first) {
    take_away(&l->wanting, l->writers);
    l->writers--;
  }
  int r = write_now(l, EDEADLK);
  __comus_atomic_end();
  return is_written(&l->state, r);
}

/* Whether a reader gives up for a writer that waits. */
static int yields(const struct rwlock *l) {
  return l->kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && l->state > 0 && __comus_nondet_bool();
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  struct rwlock *l = rwlock_of(lock);
  __comus_atomic_begin();
  int r = yields(l) ? EBUSY : read_now(l, EBUSY);
  __comus_atomic_end();
  return r;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  __comus_atomic_begin();
  int r = write_now(rwlock_of(lock), EBUSY);
  __comus_atomic_end();
  return r;
}

/* Time passes between any two steps: a wait that ends in time is one that began later. */
static int timed_out(const struct rwlock *l) { return l->state == mine() ? EDEADLK : ETIMEDOUT; }

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *end) {
  struct rwlock *l = rwlock_of(lock);
  if (!__comus_valid_time(end))
    return EINVAL;
  __comus_atomic_begin();
  int r = yields(l) ? ETIMEDOUT : read_now(l, timed_out(l));
  __comus_atomic_end();
  return r;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *end) {
  struct rwlock *l = rwlock_of(lock);
  if (!__comus_valid_time(end))
    return EINVAL;
  __comus_atomic_begin();
  int r = write_now(l, timed_out(l));
  __comus_atomic_end();
  return r;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock_id, const struct timespec *end) {
  return clock_id == CLOCK_REALTIME || clock_id == CLOCK_MONOTONIC ? pthread_rwlock_timedrdlock(lock, end) : EINVAL;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock_id, const struct timespec *end) {
  return clock_id == CLOCK_REALTIME || clock_id == CLOCK_MONOTONIC ? pthread_rwlock_timedwrlock(lock, end) : EINVAL;
}

static void unlock_reader(struct rwlock *l) {
  take_away(&l->holder, l->state);
  l->state--;
  reading--;
}

static void unlock_writer(struct rwlock *l) {
  take_away(&l->holder, 1);
  l->state = 0;
  writing--;
}

/* Whether this thread is a reader of the lock. */
static int is_reader(const struct rwlock *l) {
  if (reading > 0 && !read_lock)
    __comus_assumption("a thread that reads several read-write locks unlocks none that it does not read");
  return reading > 0 && (!read_lock || read_lock == l);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct rwlock *l = rwlock_of(lock);
  __comus_atomic_begin();
  __comus_undefined(l->state > 0 ? is_reader(l) : l->state == -__comus_me(), "locks", "unlock of a read-write lock by a thread that does not hold it");
  if (l->state > 0)
    unlock_reader(l);
  else
    unlock_writer(l);
  __comus_atomic_end();
  return 0;
}

struct rwlockattr { int kind, shared; };
FITS(struct rwlockattr, pthread_rwlockattr_t);

static struct rwlockattr *rwlockattr_of(const pthread_rwlockattr_t *a) { return (struct rwlockattr *)a; }

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
  struct rwlock *l = rwlock_of(lock);
  unsigned char kind = attr ? (unsigned char)rwlockattr_of(attr)->kind : 0;
  __comus_atomic_begin();
  __comus_undefined(!__comus_is_set(&l->state, sizeof l->state) || l->state == 0 || l->state == DESTROYED, "locks", "initialisation of a read-write lock that is held");
  __comus_undefined(!IS_INITIALISED(l), "locks", "initialisation of a read-write lock that was initialised, and not destroyed");
  l->self = l;
  l->kind = kind;
  l->state = 0;
  l->writers = 0;
  if (__comus_wakeups() == 1)
    l->holder = l->wanting = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  struct rwlock *l = rwlock_of(lock);
  __comus_atomic_begin();
  __comus_undefined(l->state == 0, "locks", "destruction of a read-write lock that is held, or was destroyed");
  l->state = DESTROYED;
  l->self = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
  *rwlockattr_of(attr) = (struct rwlockattr){0, 0};
  return 0;
}

/* A write: nobody else may use them at the same time. */
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) { return pthread_rwlockattr_init(attr); }

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    return EINVAL;
  rwlockattr_of(attr)->kind = kind;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind) {
  *kind = rwlockattr_of(attr)->kind;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  rwlockattr_of(attr)->shared = shared;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *shared) {
  *shared = rwlockattr_of(attr)->shared;
  return 0;
}
