// expect: SAFE
#include <assert.h>
#include <pthread.h>

// Destructors that set values again are called again, four times in all.
pthread_key_t k, l;
int calls, others;

void again(void *p) {
  calls++;
  pthread_setspecific(k, p);
  pthread_setspecific(l, NULL);
}
void other(void *p) { others++; }

void *f(void *arg) {
  pthread_setspecific(k, &calls);
  pthread_setspecific(l, &calls);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&k, again);
  pthread_key_create(&l, other);
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  assert(calls == 4);
  assert(others <= 1);
  return 0;
}
