// expect: SAFE
#include <pthread.h>
#include <assert.h>
pthread_key_t k;
int calls;
void d(void *p) { calls += p == &calls; }
void *f(void *arg) {
  pthread_setspecific(k, arg);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_key_create(&k, d);
  pthread_create(&t, 0, f, &calls);
  pthread_join(t, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(u, 0);
  assert(calls == 1);
  return 0;
}
