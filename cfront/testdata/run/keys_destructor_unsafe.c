// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t k;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;

void destroy(void *p) {
  assert(pthread_getspecific(k) == NULL);
  pthread_mutex_lock(&m);
  sum += *(int *)p;
  pthread_mutex_unlock(&m);
  free(p);
}

void *f(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 2;
  pthread_setspecific(k, p);
  if (arg)
    pthread_exit(p);
  return p;
}

int main(void) {
  pthread_t t, u;
  void *r;
  pthread_key_create(&k, NULL);
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, &sum);
  pthread_join(t, &r);
  assert(r != NULL && sum >= 2);
  pthread_join(u, NULL);
  assert(sum == 4);
  return 0;
}
