// expect: SAFE --check=locks
/* A read-write lock that another thread reads is unlocked by one that does, too. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t stage;
static void *thread(void *arg) {
  pthread_rwlock_rdlock(&l);
  pthread_barrier_wait(&stage);
  pthread_barrier_wait(&stage);
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&stage, 0, 2);
  pthread_create(&t, 0, thread, 0);
  pthread_barrier_wait(&stage);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_barrier_wait(&stage);
  pthread_join(t, 0);
  return 0;
}
