/* Semaphores without a name: the value is an integer in the sem_t. */
#include "libc.h"

enum { DESTROYED_SEM = -1 };

static unsigned *value_of(const sem_t *s) { return (unsigned *)s; }

static void check_sem(const unsigned *value) {
  __comus_undefined(*value != (unsigned)DESTROYED_SEM, "locks", "use of a semaphore that was destroyed");
}

static int sem_fails(int why) {
  errno = why;
  return -1;
}

int sem_init(sem_t *sem, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX)
    return sem_fails(EINVAL);
  *value_of(sem) = value;
  return 0;
}

int sem_destroy(sem_t *sem) {
  check_sem(value_of(sem));
  *value_of(sem) = (unsigned)DESTROYED_SEM;
  return 0;
}

int sem_post(sem_t *sem) {
  unsigned *value = value_of(sem);
  __comus_atomic_begin();
  check_sem(value);
  int full = *value == SEM_VALUE_MAX;
  if (!full)
    ++*value;
  __comus_atomic_end();
  return full ? sem_fails(EOVERFLOW) : 0;
}

/* One step; failure if it would have to wait. */
static int take(unsigned *value, int failure) {
  __comus_atomic_begin();
  check_sem(value);
  int ready = *value > 0;
  if (ready)
    --*value;
  __comus_atomic_end();
  return ready ? 0 : sem_fails(failure);
}

int sem_wait(sem_t *sem) {
  unsigned *value = value_of(sem);
  CANCELLATION_POINT();
  if (INTERRUPTED())
    return take(value, EINTR);
  __comus_atomic_begin();
  __comus_await(*value > 0 || IS_CANCELLED());
  check_sem(value);
  int ready = *value > 0;
  if (ready)
    --*value;
  __comus_atomic_end();
  if (!ready)
    CANCELLATION_POINT();
  return 0;
}

int sem_trywait(sem_t *sem) { return take(value_of(sem), EAGAIN); }

/* Time passes between any two steps: a wait that ends in time is one that began later. */
int sem_timedwait(sem_t *sem, const struct timespec *end) {
  if (!__comus_valid_time(end))
    return sem_fails(EINVAL);
  CANCELLATION_POINT();
  return take(value_of(sem), INTERRUPTED() ? EINTR : ETIMEDOUT);
}

int sem_clockwait(sem_t *sem, clockid_t clock_id, const struct timespec *end) {
  if (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC)
    return sem_fails(EINVAL);
  return sem_timedwait(sem, end);
}

int sem_getvalue(sem_t *sem, int *value) {
  check_sem(value_of(sem));
  *value = (int)*value_of(sem);
  return 0;
}
