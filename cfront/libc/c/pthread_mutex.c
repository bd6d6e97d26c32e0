/* Mutexes. The state lies in the pthread_mutex_t as glibc lays it out, so that its static
   initialisers are right. A normal mutex is locked and unlocked in one step each. */
#include "libc.h"

enum how { WAIT, TRY, TIMED };
enum { INCONSISTENT = 1, LOST }; /* the state of a robust mutex whose owner has died, and was not repaired */

static struct mutex *mutex_of(const pthread_mutex_t *m) { return (struct mutex *)m; }

static int is_fast(int kind) { return kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_ADAPTIVE_NP; }

/* Whether the owner of a robust mutex has ended. */
static int is_orphan(const struct mutex *m) {
  return (m->kind & ROBUST) && m->lock > 0 && __comus_thread_ended((unsigned long)m->lock - 1);
}

/* Whether a lock of a mutex that this thread holds returns. */
static int returns_to_owner(const struct mutex *m) {
  return (m->kind & KIND) == PTHREAD_MUTEX_RECURSIVE || (m->kind & KIND) == PTHREAD_MUTEX_ERRORCHECK;
}

/* The result of giving up. */
static int fails(enum how how, const struct timespec *end) {
  return how == TRY ? EBUSY : __comus_valid_time(end) ? ETIMEDOUT : EINVAL;
}

/* The result of a lock of a mutex by a handler that interrupts the thread which holds it: the thread is the same. Here it has another id, so
   that nobody notes how often it is locked, and the lock tells nobody that it is held. */
static int lock_in_handler(const struct mutex *m, enum how how) {
  PERHAPS_INTERRUPTED();
  if ((m->kind & KIND) == PTHREAD_MUTEX_RECURSIVE)
    return 0;
  return how == TRY && !(m->kind & ~KIND) ? EBUSY : EDEADLK;
}

/* A lock of a mutex that this thread holds. */
static int lock_again(struct mutex *m, enum how how, const struct timespec *end) {
  switch (m->kind & KIND) {
  case PTHREAD_MUTEX_RECURSIVE:
    if (m->count == UINT_MAX)
      return EAGAIN;
    m->count++;
    return 0;
  case PTHREAD_MUTEX_ERRORCHECK:
    return how == TRY && !(m->kind & ~KIND) ? EBUSY : EDEADLK; /* glibc: EBUSY only of simple ones */
  }
  return fails(how, end);
}

/* One step of a lock of any kind of mutex: of one that waits, where it has ended to. */
static int lock_now(struct mutex *m, enum how how, const struct timespec *end) {
  __comus_undefined(m->lock != GONE, "locks", "use of a mutex that was destroyed");
  if (m->lock == __comus_me())
    return lock_again(m, how, end);
  if (is_orphan(m)) {
    m->lock = 0;
    m->state = INCONSISTENT;
  }
  if (how != WAIT && m->lock != 0)
    return fails(how, end);
  if (m->state == LOST)
    return ENOTRECOVERABLE;
  __comus_lock(&m->lock);
  m->count = 1;
  return m->state == INCONSISTENT ? EOWNERDEAD : 0;
}

/* The result of a lock after which this thread holds the mutex, whatever the result is: that it held it already, say. */
static int is_held(const int *lock, int result) {
  (void)lock;
  return result;
}

static int lock_special(struct mutex *m, enum how how, const struct timespec *end) {
  __comus_undefined(m->kind >= 0 && m->kind < 128, "locks", "use of a mutex that was not initialised");
  int own = returns_to_owner(m) ? __comus_me() : 0; /* computed before what is waited for */
  if (how == WAIT && (m->kind & KIND) == PTHREAD_MUTEX_NORMAL)
    WAITS_FOR(m->lock > 0);
  if (INTERRUPTS(returns_to_owner(m) && m->lock > 0, m->lock))
    return lock_in_handler(m, how);
  __comus_atomic_begin();
  if (how == WAIT && (m->kind & ROBUST))
    __comus_await_from((m->lock <= 0) | (m->lock == own) | __comus_thread_ended((unsigned long)m->lock - 1), m->lock);
  else if (how == WAIT)
    __comus_await_from(m->lock <= 0 || m->lock == own, m->lock);
  int r = lock_now(m, how, end);
  __comus_atomic_end();
  return how == WAIT && !(m->kind & ROBUST) ? is_held(&m->lock, r) : r;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  struct mutex *m = mutex_of(mutex);
  if (!is_fast(m->kind))
    return lock_special(m, WAIT, 0);
  WAITS_FOR(m->lock > 0);
  __comus_lock(&m->lock);
  return 0;
}

/* A try of a normal mutex, in one step. */
static int try_fast(struct mutex *m, int failure) {
  __comus_atomic_begin();
  __comus_undefined(m->lock != GONE, "locks", "use of a mutex that was destroyed");
  int taken = m->lock != 0;
  if (!taken)
    __comus_lock(&m->lock);
  __comus_atomic_end();
  return taken ? failure : 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  struct mutex *m = mutex_of(mutex);
  return is_fast(m->kind) ? try_fast(m, EBUSY) : lock_special(m, TRY, 0);
}

/* Time passes between any two steps: a wait that ends in time is one that began later. */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end) {
  struct mutex *m = mutex_of(mutex);
  return is_fast(m->kind) ? try_fast(m, fails(TIMED, end)) : lock_special(m, TIMED, end);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock_id, const struct timespec *end) {
  if (clock_id != CLOCK_REALTIME && clock_id != CLOCK_MONOTONIC)
    return EINVAL;
  return pthread_mutex_timedlock(mutex, end);
}

static int unlock_special(struct mutex *m) {
  if (m->lock != __comus_me()) { /* which no other thread changes */
    __comus_undefined(m->lock != GONE, "locks", "use of a mutex that was destroyed");
    __comus_undefined(returns_to_owner(m) || (m->kind & ROBUST), "locks", "unlock of a mutex by a thread that does not hold it");
    return INTERRUPTS((m->kind & KIND) == PTHREAD_MUTEX_RECURSIVE && m->lock > 0, m->lock) ? 0 : EPERM;
  }
  if ((m->kind & KIND) == PTHREAD_MUTEX_RECURSIVE && --m->count > 0)
    return m->state == INCONSISTENT ? ENOTRECOVERABLE : 0;
  if (m->state == INCONSISTENT)
    m->state = LOST;
  __comus_unlock(&m->lock);
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  struct mutex *m = mutex_of(mutex);
  if (!is_fast(m->kind))
    return unlock_special(m);
  __comus_unlock(&m->lock);
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
  struct mutex *m = mutex_of(mutex);
  int kind = attr ? __comus_mutex_kind(attr) : PTHREAD_MUTEX_NORMAL;
  __comus_atomic_begin();
  __comus_undefined(!__comus_is_set(&m->lock, sizeof m->lock) || m->lock <= 0, "locks", "initialisation of a mutex that is held");
  __comus_undefined(!IS_INITIALISED(m), "locks", "initialisation of a mutex that was initialised, and not destroyed");
  m->self = m;
  m->lock = 0;
  m->count = 0;
  m->state = 0;
  m->kind = kind;
  __comus_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  struct mutex *m = mutex_of(mutex);
  __comus_atomic_begin();
  __comus_undefined(m->lock == 0 || is_orphan(m), "locks", "destruction of a mutex that is held, or was destroyed");
  m->lock = GONE;
  m->self = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  struct mutex *m = mutex_of(mutex);
  if (!(m->kind & ROBUST) || m->lock != __comus_me() || m->state != INCONSISTENT)
    return EINVAL;
  m->state = 0;
  return 0;
}

/* Ceilings of priorities decide only who runs when, which is open anyway. */
int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) {
  if (!(mutex_of(mutex)->kind & PROTECT))
    return EINVAL;
  *ceiling = __comus_nondet_int();
  return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old) {
  if (!(mutex_of(mutex)->kind & PROTECT) || ceiling < 1 || ceiling > 99)
    return EINVAL;
  if (old)
    *old = __comus_nondet_int();
  return __comus_nondet_bool() ? EPERM : 0;
}
