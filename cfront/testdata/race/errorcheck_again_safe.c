// expect: SAFE --check=race
// An error-checking mutex that is locked again is held, and given back once.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  if (pthread_mutex_lock(&m) == 0)
    return 0;
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
