// robust: none
// A mutex is lost if who got it from a thread that has ended gives it back without repairing it. A lock that fails for that reason synchronises with nobody.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m;

static void *ends(void *p) {
  pthread_mutex_lock(&m);
  return p;
}

static void *a(void *p) {
  if (pthread_mutex_lock(&m) == EOWNERDEAD) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_mutex_unlock(&m);
  }
  return p;
}

static void *b(void *p) {
  if (pthread_mutex_lock(&m) == ENOTRECOVERABLE)
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  return p;
}

int main(void) {
  pthread_t t, u;
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &how);
  pthread_create(&t, 0, ends, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
