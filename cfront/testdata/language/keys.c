// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_key_t k;
int x;
void *f(void *arg) {
  assert(pthread_getspecific(k) == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &x);
  pthread_create(&t, 0, f, 0);
  assert(pthread_getspecific(k) == &x);
  return 0;
}
