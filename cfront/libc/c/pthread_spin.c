/* Spin locks: an int, as a mutex's lock. */
#include "libc.h"

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  __comus_atomic_begin();
  __comus_undefined(!__comus_is_set((int *)lock, sizeof *lock) || *lock <= 0, "locks", "initialisation of a spin lock that is held");
  *lock = 0;
  __comus_atomic_end();
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  WAITS_FOR(*lock > 0);
  __comus_lock((int *)lock);
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  __comus_atomic_begin();
  __comus_undefined(*lock != GONE, "locks", "use of a spin lock that was destroyed");
  int taken = *lock != 0;
  if (!taken)
    __comus_lock((int *)lock);
  __comus_atomic_end();
  return taken ? EBUSY : 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __comus_unlock((int *)lock);
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  __comus_atomic_begin();
  __comus_undefined(*lock == 0, "locks", "destruction of a spin lock that is held, or was destroyed");
  *lock = GONE;
  __comus_atomic_end();
  return 0;
}
