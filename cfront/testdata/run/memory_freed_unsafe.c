// expect: UNSAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
  pthread_mutex_lock(&m);
  if (p) *p = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  p = calloc(1, sizeof *p);
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  free(p);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
