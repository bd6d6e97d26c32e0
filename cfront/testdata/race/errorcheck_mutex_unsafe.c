// expect: UNSAFE --check=race
// An errorcheck mutex refuses the second lock and is free after one unlock.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  int again = pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x++;
  if (again == 0)
    pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
