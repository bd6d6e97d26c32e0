// expect: UNSAFE --check=deadlock
// A reader waits for the mutex that the writer holds, who waits for the reader.
#include <pthread.h>
#include <sched.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_rwlock_rdlock(&l);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_rwlock_unlock(&l);
  return 0;
}
void *g(void *arg) {
  pthread_mutex_lock(&m);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}
