// expect: UNSAFE --check=deadlock
// A mutex that is not robust stays locked when its owner has ended.
#include <pthread.h>
pthread_mutex_t m;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  if (pthread_mutex_lock(&m) != 0)
    pthread_mutex_consistent(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
