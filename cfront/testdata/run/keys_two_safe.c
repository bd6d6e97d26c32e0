// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_key_t k, l;
pthread_once_t o = PTHREAD_ONCE_INIT;
void make(void) {
  pthread_key_create(&k, 0);
  pthread_key_create(&l, 0);
}
void *f(void *arg) {
  pthread_once(&o, make);
  pthread_setspecific(k, (void *)1);
  pthread_setspecific(l, (void *)2);
  for (long i = 0; i < 100; i++) {
    long v = (long)pthread_getspecific(k);
    assert(v == 1);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
