// expect: UNSAFE
#include <assert.h>
#include <pthread.h>

// The destructor of a key that was deleted is not called, and none at a return from
// main.
pthread_key_t k, l;
int x;

void d(void *p) { assert(p == &x); }
void none(void *p) { assert(0); }

void *f(void *arg) {
  pthread_setspecific(k, &k);
  pthread_setspecific(l, &x);
  pthread_key_delete(k);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&k, none);
  pthread_key_create(&l, d);
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_setspecific(l, &l);
  pthread_exit(NULL);
}
