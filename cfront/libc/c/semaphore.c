/* Semaphores without a name: the value is an integer in the sem_t. */
#include "libc.h"

static struct sem *sem_of(const sem_t *s) { return (struct sem *)s; }

static void check_sem(const struct sem *s) {
  __comus_undefined(s->made > 0, "locks", "use of a semaphore that was destroyed, or never initialised");
}

static int sem_fails(int why) {
  errno = why;
  return -1;
}

int sem_init(sem_t *sem, int shared, unsigned value) {
  struct sem *s = sem_of(sem);
  (void)shared;
  if (value > SEM_VALUE_MAX)
    return sem_fails(EINVAL);
  __comus_atomic_begin();
  __comus_undefined(!IS_INITIALISED(s), "locks", "initialisation of a semaphore that was initialised, and not destroyed");
  s->self = s;
  int made = __comus_is_set(&s->made, sizeof s->made) ? s->made : 0;
  s->value = value;
  s->made = made < 0 ? 1 - made : made + 1;
  __comus_atomic_end();
  return 0;
}

/* Who waits is let go, and sees it. */
int sem_destroy(sem_t *sem) {
  struct sem *s = sem_of(sem);
  __comus_atomic_begin();
  check_sem(s);
  s->value = SEM_VALUE_MAX;
  s->made = -s->made;
  s->self = 0;
  __comus_atomic_end();
  return 0;
}

int sem_post(sem_t *sem) {
  struct sem *s = sem_of(sem);
  __comus_atomic_begin();
  check_sem(s);
  int full = s->value == SEM_VALUE_MAX;
  if (!full)
    ++s->value;
  __comus_atomic_end();
  return full ? sem_fails(EOVERFLOW) : 0;
}

/* One step; failure if it would have to wait. */
static int take(struct sem *s, int failure) {
  __comus_atomic_begin();
  check_sem(s);
  int ready = s->value > 0;
  if (ready)
    --s->value;
  __comus_atomic_end();
  return ready ? 0 : sem_fails(failure);
}

int sem_wait(sem_t *sem) {
  struct sem *s = sem_of(sem);
  CANCELLATION_POINT();
  if (WAIT_INTERRUPTED())
    return take(s, EINTR);
  int made = s->made;
  __comus_undefined(made > 0, "locks", "use of a semaphore that was destroyed, or never initialised");
  WAITS_FOR(s->value <= 0); /* that thread may be who would post */
  __comus_atomic_begin();
  __comus_await((s->value > 0) | IS_CANCELLED());
  __comus_undefined(s->made == made, "locks", "destruction or initialisation of a semaphore for which a thread waits");
  int ready = s->value > 0;
  if (ready)
    --s->value;
  __comus_atomic_end();
  if (!ready)
    CANCELLATION_POINT();
  return 0;
}

int sem_trywait(sem_t *sem) { return take(sem_of(sem), EAGAIN); }

/* Time passes between any two steps: a wait that ends in time is one that began later. */
int sem_timedwait(sem_t *sem, const struct timespec *end) {
  if (!__comus_valid_time(end))
    return sem_fails(EINVAL);
  CANCELLATION_POINT();
  return take(sem_of(sem), WAIT_INTERRUPTED() ? EINTR : ETIMEDOUT);
}

int sem_clockwait(sem_t *sem, clockid_t clock_id, const struct timespec *end) {
  if (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC)
    return sem_fails(EINVAL);
  return sem_timedwait(sem, end);
}

int sem_getvalue(sem_t *sem, int *value) {
  check_sem(sem_of(sem));
  *value = (int)sem_of(sem)->value;
  return 0;
}
