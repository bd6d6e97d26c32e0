/* Barriers. Rounds are counted, so that a thread that is slow to leave one is not caught by the
   next; which thread of a round gets PTHREAD_BARRIER_SERIAL_THREAD is open. */
#include "libc.h"

struct barrier { /* in a pthread_barrier_t */
  unsigned count;   /* 0 if it was destroyed */
  unsigned inside;  /* of any round, that have not left */
  unsigned waiting; /* in this round; from here on, it is what execution graphs take for one object (cir/interp) */
  unsigned turn;
  int serial;       /* 1 if a thread of this round was chosen */
#ifdef __LP64__     /* there is no room for it otherwise */
  struct barrier *self;
#endif
};
FITS(struct barrier, pthread_barrier_t);

static struct barrier *barrier_of(const pthread_barrier_t *b) { return (struct barrier *)b; }

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count) {
  struct barrier *b = barrier_of(barrier);
  (void)attr;
  if (count == 0 || count > INT_MAX)
    return EINVAL;
  __comus_atomic_begin();
  __comus_undefined(!__comus_is_set(&b->waiting, sizeof b->waiting) || b->waiting == 0, "locks", "initialisation of a barrier where a thread waits");
#ifdef __LP64__
  __comus_undefined(!IS_INITIALISED(b), "locks", "initialisation of a barrier that was initialised, and not destroyed");
  b->self = b;
#endif
  b->waiting = b->inside = b->turn = 0;
  b->serial = 0;
  b->count = count;
  __comus_atomic_end();
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct barrier *b = barrier_of(barrier);
  __comus_atomic_begin();
  __comus_undefined(b->count > 0, "locks", "use of a barrier that was destroyed, or never initialised");
  int last = b->waiting + 1 == b->count;
  int serial = !b->serial && (last ? 1 : __comus_nondet_bool());
  unsigned turn = b->turn;
  if (last) {
    b->turn++;
    b->waiting = 0;
    b->serial = 0;
  } else {
    b->waiting++;
    b->inside++;
    b->serial |= serial;
  }
  __comus_atomic_end();
  if (!last) {
    __comus_atomic_begin();
    __comus_await(b->turn != turn);
    b->inside--;
    __comus_atomic_end();
  }
  return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* Waits until those have left that a round has let go. */
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  struct barrier *b = barrier_of(barrier);
  __comus_atomic_begin();
  __comus_undefined(b->count > 0, "locks", "destruction of a barrier that was destroyed, or never initialised");
  __comus_await(b->inside == b->waiting);
  __comus_undefined(b->waiting == 0, "locks", "destruction of a barrier where a thread waits");
  b->count = 0;
#ifdef __LP64__
  b->self = 0;
#endif
  __comus_atomic_end();
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
  *(int *)attr = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

/* A write: nobody else may use them at the same time. */
int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) { return pthread_barrierattr_init(attr); }

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  *(int *)attr = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared) {
  *shared = *(const int *)attr;
  return 0;
}
