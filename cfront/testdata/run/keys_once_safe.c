// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t k;
int x;
void make(void) { pthread_key_create(&k, 0); }
void *f(void *arg) {
  for (int i = 0; i < 2; i++) pthread_once(&once, make);
  if (pthread_getspecific(k) == 0) {
    pthread_setspecific(k, arg);
    x = 1;
  }
  assert(pthread_getspecific(k) == arg && x == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)1);
  f((void *)2);
  return 0;
}
