// expect: UNSAFE --check=race
// A trylock that fails tells that another thread holds the lock, but orders nothing; a lock does.
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}
void *g(void *arg) {
  if (pthread_mutex_trylock(&m) == EBUSY) {
    x = 2;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  } else
    pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
