/* C11's threads, on top of those of POSIX, as in glibc. */
#include "libc.h"

static int c11(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ENOMEM ? thrd_nomem : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

static void run_c11(struct thread *t, thrd_start_t start, void *arg) {
  __comus_self = t;
  t->result = (void *)(intptr_t)start(arg);
  __comus_thread_end();
}

int thrd_create(thrd_t *id, thrd_start_t start, void *arg) {
#ifdef COMUS_THRD_CREATE_MAY_FAIL
  if (__comus_nondet_bool()) {
    if (__comus_nondet_bool())
      *id = __comus_nondet_ulong();
    return __comus_nondet_bool() ? thrd_nomem : thrd_error;
  }
  STORES_FIRST();
  STORE_LAST(__comus_thread_begin(id, 0, run_c11, start, arg));
  return thrd_success;
#else
  STORES_FIRST();
  STORE_LAST(__comus_thread_begin(id, 0, run_c11, start, arg));
  return __comus_assumed(thrd_success, "thrd_create does not fail");
#endif
}

int thrd_join(thrd_t id, int *result) {
  void *r;
  int error = pthread_join(id, &r);
  if (error == 0 && result)
    *result = (int)(intptr_t)r;
  return c11(error);
}

int thrd_detach(thrd_t id) { return c11(pthread_detach(id)); }

void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

thrd_t thrd_current(void) { return pthread_self(); }

int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

void thrd_yield(void) {}

int thrd_sleep(const struct timespec *length, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, length, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

int mtx_init(mtx_t *m, int type) {
  __comus_undefined(type >= 0 && type <= (mtx_timed | mtx_recursive), "threads", "mtx_init with an invalid kind");
  pthread_mutex_init((pthread_mutex_t *)m, 0);
  if (type & mtx_recursive)
    ((struct mutex *)m)->kind = PTHREAD_MUTEX_RECURSIVE;
  return thrd_success;
}

int mtx_lock(mtx_t *m) { return c11(pthread_mutex_lock((pthread_mutex_t *)m)); }

/* C17 lets it fail at any time; glibc does not. */
int mtx_trylock(mtx_t *m) { return c11(pthread_mutex_trylock((pthread_mutex_t *)m)); }

int mtx_timedlock(mtx_t *m, const struct timespec *end) { return c11(pthread_mutex_timedlock((pthread_mutex_t *)m, end)); }

int mtx_unlock(mtx_t *m) { return c11(pthread_mutex_unlock((pthread_mutex_t *)m)); }

void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }

int cnd_init(cnd_t *c) {
  pthread_cond_init((pthread_cond_t *)c, 0);
  return thrd_success;
}

int cnd_wait(cnd_t *c, mtx_t *m) { return c11(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m)); }

int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *end) {
  return c11(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, end));
}

int cnd_signal(cnd_t *c) { return c11(pthread_cond_signal((pthread_cond_t *)c)); }

int cnd_broadcast(cnd_t *c) { return c11(pthread_cond_broadcast((pthread_cond_t *)c)); }

void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }

void call_once(once_flag *flag, void (*function)(void)) { pthread_once((pthread_once_t *)flag, function); }

int tss_create(tss_t *key, tss_dtor_t destructor) { return c11(pthread_key_create(key, destructor)); }

void tss_delete(tss_t key) { pthread_key_delete(key); }

int tss_set(tss_t key, void *value) { return c11(pthread_setspecific(key, value)); }

void *tss_get(tss_t key) { return pthread_getspecific(key); }
