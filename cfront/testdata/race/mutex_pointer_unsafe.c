// expect: UNSAFE --check=race
// The mutex is reached through two pointers to different mutexes.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *p = &a, *q = &b;
int x;
void *f(void *arg) {
  pthread_mutex_t *l = arg;
  pthread_mutex_lock(l);
  x++;
  pthread_mutex_unlock(l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, p);
  f(q);
  pthread_join(t, 0);
  return 0;
}
