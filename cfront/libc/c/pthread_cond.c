/* Condition variables. A wait may end at any time (POSIX: spurious wake-ups), so that for what a
   program can do, it is an unlock and a lock, and signals need no state. Whether a program may get
   stuck is another question: there (__comus_wakeups is 1) a wait ends with a signal or broadcast only, and
   a signal wakes any one of those that wait. Whether one is destroyed that a thread waits for, or waited for with two mutexes,
   needs to know who waits, too (2); there a wait may end at any time. Where that is not likely (3), it is enough to know with which
   mutex the last one waited. */
#include "libc.h"

struct cond { /* in a pthread_cond_t */
  struct waiter *waiters; /* the last one first */
  int gone;
  const pthread_mutex_t *with; /* of the last one that waited, where it matters */
  struct cond *self;
};
FITS(struct cond, pthread_cond_t);

static struct cond *cond_of(const pthread_cond_t *c) {
  struct cond *d = (struct cond *)c;
  __comus_undefined(!d->gone, "locks", "use of a condition variable that was destroyed");
  return d;
}

static void remove_waiter(struct cond *c, struct waiter *w) {
  struct waiter **p = &c->waiters;
  while (*p != w)
    p = &(*p)->next;
  *p = w->next;
}

/* Whether it is known who waits. */
static int knows_waiters(void) { return __comus_wakeups() == 1 || __comus_wakeups() == 2; }

#define TWO_MUTEXES "wait for a condition variable for which a thread waits with another mutex"

static int wait_for_signal(struct cond *c, pthread_mutex_t *mutex, int timed) {
  if (__comus_wakeups() == 1)
    __comus_assumption("a wait on a condition variable ends only when it is signalled");
#ifdef COMUS_SIGNALS
  struct waiter in_handler, *w = __comus_handles ? &in_handler : &__comus_self->waiter;
#else
  struct waiter *w = &__comus_self->waiter;
#endif
  int ends = timed || (__comus_wakeups() == 2 && __comus_nondet_bool());
  __comus_atomic_begin();
  if (__comus_wakeups() == 2)
    __comus_undefined(!c->waiters || c->with == mutex, "locks", TWO_MUTEXES);
  int r = pthread_mutex_unlock(mutex);
  if (r == 0) {
    if (__comus_wakeups() == 2)
      c->with = mutex;
    w->woken = 0;
    w->next = c->waiters;
    c->waiters = w;
  }
  __comus_atomic_end();
  if (r)
    return r;
  __comus_atomic_begin();
  __comus_await((w->woken != 0) | ends | IS_CANCELLED());
  if (!w->woken)
    remove_waiter(c, w);
  __comus_atomic_end();
  return 0;
}

/* Wakes any waiter, if there is one. */
static void wake(struct cond *c) {
  struct waiter *w = c->waiters;
  if (!w)
    return;
  while (w->next && __comus_nondet_bool())
    w = w->next;
  remove_waiter(c, w);
  w->woken = 1;
}

static void wake_all(struct cond *c) {
  for (struct waiter *w = c->waiters; w; w = w->next)
    w->woken = 1;
  c->waiters = 0;
}

/* Whoever waited before with another mutex may wait still. */
static void note_mutex(struct cond *c, const pthread_mutex_t *mutex) {
  __comus_atomic_begin();
  int same = !c->with || c->with == mutex;
  c->with = mutex;
  if (!same) {
    __comus_approximation("who waits for a condition variable");
    __comus_undefined(0, "locks", TWO_MUTEXES);
  }
  __comus_atomic_end();
}

static int unlock_and_wait(struct cond *c, pthread_mutex_t *mutex, int timed) {
  return knows_waiters() ? wait_for_signal(c, mutex, timed) : pthread_mutex_unlock(mutex);
}

static int wait_on(pthread_cond_t *cond, pthread_mutex_t *mutex, int timed) {
  struct cond *c = cond_of(cond);
  if (__comus_wakeups() == 3)
    note_mutex(c, mutex);
  int r = unlock_and_wait(c, mutex, timed);
  if (r)
    return r;
  r = pthread_mutex_lock(mutex);
  CANCELLATION_POINT();
  return r;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) { return wait_on(cond, mutex, 0); }

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *end) {
  if (!__comus_valid_time(end))
    return EINVAL;
  int r = wait_on(cond, mutex, 1);
  return r == 0 && __comus_nondet_bool() ? ETIMEDOUT : r;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock_id, const struct timespec *end) {
  if (!__comus_valid_time(end) || (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC))
    return EINVAL;
  return pthread_cond_timedwait(cond, mutex, end);
}

int pthread_cond_signal(pthread_cond_t *cond) {
  struct cond *c = cond_of(cond);
  if (knows_waiters()) {
    __comus_atomic_begin();
    wake(c);
    __comus_atomic_end();
  }
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  struct cond *c = cond_of(cond);
  if (knows_waiters()) {
    __comus_atomic_begin();
    wake_all(c);
    __comus_atomic_end();
  }
  return 0;
}

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
  struct cond *c = (struct cond *)cond;
  (void)attr; /* the clock, which has no effect where any time may pass */
  __comus_atomic_begin();
  __comus_undefined(!IS_INITIALISED(c), "locks", "initialisation of a condition variable that was initialised, and not destroyed");
  c->self = c;
  c->with = 0;
  c->waiters = 0;
  c->gone = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
  __comus_atomic_begin();
  struct cond *c = cond_of(cond);
  if (knows_waiters())
    __comus_undefined(!c->waiters, "locks", "destruction of a condition variable that a thread waits for");
  c->gone = 1;
  c->self = 0;
  __comus_atomic_end();
  return 0;
}

struct condattr { int shared : 2, clock_id : 8; };
FITS(struct condattr, pthread_condattr_t);

static struct condattr *condattr_of(const pthread_condattr_t *a) { return (struct condattr *)a; }

int pthread_condattr_init(pthread_condattr_t *attr) {
  *condattr_of(attr) = (struct condattr){0};
  return 0;
}

/* A write: nobody else may use them at the same time. */
int pthread_condattr_destroy(pthread_condattr_t *attr) { return pthread_condattr_init(attr); }

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock_id) {
  if (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC)
    return EINVAL;
  condattr_of(attr)->clock_id = clock_id == CLOCK_MONOTONIC;
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock_id) {
  *clock_id = condattr_of(attr)->clock_id;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  condattr_of(attr)->shared = shared == PTHREAD_PROCESS_SHARED;
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *shared) {
  *shared = condattr_of(attr)->shared;
  return 0;
}
