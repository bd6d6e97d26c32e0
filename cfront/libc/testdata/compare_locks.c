#include "compare.h"

/* Random calls by two threads, on mutexes of every kind and the other objects. Times are in the past,
   valid or not. */
static struct timespec times[] = {{0, 0}, {1, 999999999}, {1, 1000000000}, {1, -1}};
static int object, clock_of, some;
static struct timespec *when;

static void a_mutex_call(void) {
  switch (pick(9)) {
  case 0: CALL(pthread_mutex_lock, (&W->mutex[object])); break;
  case 1: CALL(pthread_mutex_trylock, (&W->mutex[object])); break;
  case 2: CALL(pthread_mutex_timedlock, (&W->mutex[object], when)); break;
  case 3: CALL(pthread_mutex_clocklock, (&W->mutex[object], clock_of, when)); break;
  case 4: CALL(pthread_cond_timedwait, (&W->cond, &W->mutex[object], when)); break;
  case 5: CALL(pthread_mutex_consistent, (&W->mutex[object])); break;
  default: CALL(pthread_mutex_unlock, (&W->mutex[object]));
  }
}

static void a_cond_call(void) {
  CALL(pthread_cond_signal, (&W->cond));
  CALL(pthread_cond_broadcast, (&W->cond));
}

static void a_rwlock_call(void) {
  switch (pick(11)) {
  case 0: CALL(pthread_rwlock_rdlock, (&W->rwlock)); break;
  case 1: CALL(pthread_rwlock_wrlock, (&W->rwlock)); break;
  case 2: CALL(pthread_rwlock_tryrdlock, (&W->rwlock)); break;
  case 3: CALL(pthread_rwlock_trywrlock, (&W->rwlock)); break;
  case 4: CALL(pthread_rwlock_timedrdlock, (&W->rwlock, when)); break;
  case 5: CALL(pthread_rwlock_timedwrlock, (&W->rwlock, when)); break;
  case 6: CALL(pthread_rwlock_clockrdlock, (&W->rwlock, clock_of, when)); break;
  case 7: CALL(pthread_rwlock_clockwrlock, (&W->rwlock, clock_of, when)); break;
  default: CALL(pthread_rwlock_unlock, (&W->rwlock));
  }
}

static void a_semaphore_call(void) {
  switch (pick(7)) {
  case 0: CALL(sem_wait, (&W->sem[0])); break;
  case 1: CALL(sem_trywait, (&W->sem[0])); break;
  case 2: CALL(sem_timedwait, (&W->sem[0], when)); break;
  case 3: CALL(sem_clockwait, (&W->sem[0], clock_of, when)); break;
  case 4: CALL(sem_getvalue, (&W->sem[0], (int *)&W->out[0])); break;
  default: CALL(sem_post, (&W->sem[0]));
  }
}

static void a_spin_call(void) {
  switch (pick(3)) {
  case 0: CALL(pthread_spin_lock, (&W->spin)); break;
  case 1: CALL(pthread_spin_trylock, (&W->spin)); break;
  default: CALL(pthread_spin_unlock, (&W->spin));
  }
}

static void a_c11_call(void) {
  switch (pick(6)) {
  case 0: CALL(mtx_lock, (&W->mtx)); break;
  case 1: CALL(mtx_trylock, (&W->mtx)); break;
  case 2: CALL(mtx_timedlock, (&W->mtx, when)); break;
  case 3: CALL(cnd_signal, (&W->cnd)); break;
  case 4: CALL(cnd_broadcast, (&W->cnd)); break;
  default: CALL(mtx_unlock, (&W->mtx));
  }
}

static void a_call(void) {
  static void (*const calls[])(void) = {a_mutex_call, a_mutex_call, a_cond_call, a_rwlock_call, a_semaphore_call, a_spin_call, a_c11_call};
  calls[pick(7)]();
}

/* A wait in time ends with ETIMEDOUT where glibc's does. */
static void init_objects(void) {
  some = pick(12);
  for (int i = 0; i < 4; i++) {
    CALL(pthread_mutexattr_init, (&W->mutexattr));
    CALL(pthread_mutexattr_settype, (&W->mutexattr, i));
    if (pick(3) == 0)
      CALL(pthread_mutexattr_setrobust, (&W->mutexattr, 1));
    if (pick(3) == 0)
      CALL(pthread_mutexattr_setprotocol, (&W->mutexattr, 1));
    CALL(pthread_mutex_init, (&W->mutex[i], some % 4 || i ? &W->mutexattr : 0));
  }
  CALL(pthread_cond_init, (&W->cond, 0));
  CALL(pthread_rwlockattr_init, (&W->rwlockattr));
  CALL(pthread_rwlockattr_setkind_np, (&W->rwlockattr, some % 2));
  CALL(pthread_rwlock_init, (&W->rwlock, &W->rwlockattr));
  CALL(sem_init, (&W->sem[0], 0, some % 3));
  CALL(pthread_spin_init, (&W->spin, 0));
  CALL(mtx_init, (&W->mtx, some % 4));
  CALL(cnd_init, (&W->cnd));
}

static void random_calls(void) {
  memset(worlds, 0, sizeof worlds);
  init_objects();
  for (int i = 0; i < 300; i++) {
    object = pick(4);
    clock_of = pick(3);
    when = &times[pick(4)];
    host_choose(1, (long long[]){1}); /* time is over */
    in_thread(pick(2), a_call);
  }
}

static void static_initialisers(void) {
  for (int k = 0; k < 2; k++) {
    worlds[k].mutex[0] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    worlds[k].mutex[1] = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    worlds[k].mutex[2] = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    worlds[k].mutex[3] = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
    worlds[k].cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    worlds[k].rwlock = k ? (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER : (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    worlds[k].sem[0] = (sem_t){{0}};
  }
  for (int i = 0; i < 4; i++) {
    CALL(pthread_mutex_lock, (&W->mutex[i]));
    CALL(pthread_mutex_trylock, (&W->mutex[i]));
    CALL(pthread_mutex_unlock, (&W->mutex[i]));
    CALL(pthread_mutex_consistent, (&W->mutex[i]));
    CALL(pthread_mutex_getprioceiling, (&W->mutex[i], (int *)&W->out[0]));
    CALL(pthread_mutex_setprioceiling, (&W->mutex[i], 5, (int *)&W->out[0]));
  }
  CALL(pthread_rwlock_rdlock, (&W->rwlock));
  CHOOSE(1); /* a writer may wait */
  EXPECT(model_pthread_rwlock_tryrdlock(&worlds[0].rwlock) == EBUSY);
  CHOOSE(0);
  CALL(pthread_rwlock_tryrdlock, (&W->rwlock));
}

/* Waits that nobody wakes end anyway, in the model. */
static void waits(void) {
  OUTCOME(UNDEFINED, pthread_mutex_unlock, (&W->mutex[3]));
  CALL(pthread_mutex_lock, (&W->mutex[0]));
  EXPECT(model_pthread_cond_wait(&worlds[0].cond, &worlds[0].mutex[0]) == 0);
  CALL(pthread_cond_wait, (&W->cond, &W->mutex[2])); /* not held: EPERM */
  CALL(pthread_cond_clockwait, (&W->cond, &W->mutex[2], 7, &times[0]));
  CALL(pthread_cond_clockwait, (&W->cond, &W->mutex[2], 1, &times[2]));
  CALL(pthread_cond_clockwait, (&W->cond, &W->mutex[2], 1, &times[0]));
  CALL(mtx_init, (&W->mtx, mtx_plain));
  CALL(mtx_lock, (&W->mtx));
  EXPECT(model_cnd_wait(&worlds[0].cnd, &worlds[0].mtx) == thrd_success);
  CHOOSE(1);
  CALL(cnd_timedwait, (&W->cnd, &W->mtx, &times[0]));
  for (int t = 0; t < 4; t++)
    CALL(mtx_init, (&W->mtx, t));
  OUTCOME(UNDEFINED, mtx_init, (&W->mtx, 4));
}

/* What has been destroyed is not used again. */
static void destruction(void) {
  CALL(pthread_mutex_unlock, (&W->mutex[0]));
  CALL(pthread_mutex_destroy, (&W->mutex[0]));
  OUTCOME(UNDEFINED, pthread_mutex_lock, (&W->mutex[0]));
  OUTCOME(UNDEFINED, pthread_mutex_destroy, (&W->mutex[0]));
  CALL(pthread_mutex_lock, (&W->mutex[1]));
  OUTCOME(UNDEFINED, pthread_mutex_destroy, (&W->mutex[1]));
  CALL(pthread_cond_destroy, (&W->cond));
  OUTCOME(UNDEFINED, pthread_cond_signal, (&W->cond));
  OUTCOME(UNDEFINED, pthread_rwlock_destroy, (&W->rwlock));
  CALL(pthread_rwlock_unlock, (&W->rwlock));
  CALL(pthread_rwlock_unlock, (&W->rwlock));
  CALL(pthread_rwlock_destroy, (&W->rwlock));
  OUTCOME(UNDEFINED, pthread_rwlock_rdlock, (&W->rwlock));
  CALL(pthread_spin_init, (&W->spin, 1));
  CALL(pthread_spin_destroy, (&W->spin));
  OUTCOME(UNDEFINED, pthread_spin_lock, (&W->spin));
  CALL(mtx_init, (&W->mtx, mtx_recursive));
  VOID(mtx_destroy, (&W->mtx));
  VOID(cnd_destroy, (&W->cnd));
}

static void semaphores(void) {
  CALL(sem_init, (&W->sem[1], 0, (unsigned)INT_MAX + 1));
  CALL(sem_init, (&W->sem[1], 0, INT_MAX));
  CALL(sem_post, (&W->sem[1]));
  CALL(sem_getvalue, (&W->sem[1], (int *)&W->out[0]));
  CALL(sem_wait, (&W->sem[1]));
  CALL(sem_destroy, (&W->sem[1]));
  OUTCOME(UNDEFINED, sem_post, (&W->sem[1]));
}

static char name[300];
#define OPENED(f, args)                                                                \
  do {                                                                                 \
    *model___errno_location() = errno = 0;                                             \
    worlds[0].named[0] = (W = &worlds[0], model_##f args);                             \
    worlds[1].named[0] = (W = &worlds[1], f args);                                     \
    int ea_ = *model___errno_location(), eb_ = errno;                                  \
    if (worlds[1].named[0] != SEM_FAILED)                                              \
      eb_ = ea_; /* glibc leaves anything there */                                     \
    if ((worlds[0].named[0] == SEM_FAILED) != (worlds[1].named[0] == SEM_FAILED) || ea_ != eb_) \
      differ(__FILE__, __LINE__, #f #args, 0, worlds[0].named[0] != SEM_FAILED, ea_, worlds[1].named[0] != SEM_FAILED, eb_); \
    count_call();                                                                      \
  } while (0)

static void named_semaphores(void) {
  static const char *const wrong[] = {"", "/", "//", "/a/b", "a/b", "/a/"};
  for (int i = 0; i < 6; i++) {
    OPENED(sem_open, (wrong[i], O_CREAT, 0600, 1));
    CALL(sem_unlink, (wrong[i]));
  }
  for (int n = 245; n < 256; n++) {
    memset(name, 'c', sizeof name);
    name[0] = '/';
    name[n + 1] = 0;
    OPENED(sem_open, (name, O_CREAT, 0600, 1));
    CALL(sem_unlink, (name));
  }
  sprintf(name, "/comus%d", (int)getpid());
  OPENED(sem_open, (name, 0));
  CALL(sem_unlink, (name));
  OPENED(sem_open, (name, O_CREAT, 0600, (unsigned)INT_MAX + 1));
  OPENED(sem_open, (name, O_CREAT, 0600, 2));
  sem_t *first = worlds[0].named[0];
  OPENED(sem_open, (name, O_CREAT | O_EXCL, 0600, 2));
  OPENED(sem_open, (name, O_CREAT, 0600, 7));
  EXPECT(worlds[0].named[0] == first);
  CALL(sem_getvalue, (W->named[0], (int *)&W->out[0]));
  OPENED(sem_open, (name + 1, 0)); /* the slash may be left out */
  EXPECT(worlds[0].named[0] == first);
  CALL(sem_trywait, (W->named[0]));
  CALL(sem_close, (W->named[0]));
  CALL(sem_unlink, (name));
  CALL(sem_unlink, (name));
  OPENED(sem_open, (name, O_CREAT | O_EXCL, 0600, 0));
  EXPECT(worlds[0].named[0] != first);
  CALL(sem_trywait, (W->named[0]));
  CALL(sem_unlink, (name));
  CALL(sem_close, (W->named[0]));
  OUTCOME(UNDEFINED, sem_close, (&W->sem[0]));
}

static void barriers(void) {
  CALL(pthread_barrier_init, (&W->barrier, 0, 0));
  CALL(pthread_barrier_init, (&W->barrier, 0, (unsigned)INT_MAX + 1));
  CALL(pthread_barrier_init, (&W->barrier, 0, 1));
  CALL(pthread_barrier_wait, (&W->barrier));
  CALL(pthread_barrier_wait, (&W->barrier));
  CALL(pthread_barrier_destroy, (&W->barrier));
  OUTCOME(UNDEFINED, pthread_barrier_wait, (&W->barrier));
}

void compare_locks(void) {
  for (int i = 0; i < 100; i++)
    random_calls();
  memset(worlds, 0, sizeof worlds);
  static_initialisers();
  waits();
  destruction();
  semaphores();
  named_semaphores();
  barriers();
}
