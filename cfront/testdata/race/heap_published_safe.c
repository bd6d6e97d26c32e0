// expect: SAFE --check=race
// A heap object is complete when it is published under the lock.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *shared;
void *f(void *arg) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  *p = 1;
  *p = 2;
  pthread_mutex_lock(&m);
  shared = p;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  int *q = shared;
  pthread_mutex_unlock(&m);
  int r = q ? *q : 0;
  pthread_join(t, 0);
  free(shared);
  return r == 3;
}
