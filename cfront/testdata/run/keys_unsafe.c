// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_key_t k;
int x, y;
void g(int *p) {
  int *q = pthread_getspecific(k);
  assert(q == p);
}
void *f(void *arg) {
  g(0);
  
  g(&x);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &y);
  pthread_create(&t, 0, f, 0);
  g(&y);
  pthread_key_delete(k);
  return 0;
}
