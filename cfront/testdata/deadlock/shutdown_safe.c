// expect: SAFE --check=deadlock
// The flag for the end is set under the lock, so the worker sees it or is woken.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int stop;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  while (!stop)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_broadcast(&c);
  pthread_join(t, 0);
  return 0;
}
