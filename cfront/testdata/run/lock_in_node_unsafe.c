// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct counter { pthread_mutex_t lock; int n; };
void *f(void *a) {
  struct counter *c = a;
  c->n++;
  return 0;
}
int main(void) {
  pthread_t t;
  struct counter *c = malloc(sizeof *c);
  pthread_mutex_init(&c->lock, 0);
  c->n = 0;
  pthread_create(&t, 0, f, c);
  f(c);
  pthread_join(t, 0);
  assert(c->n == 2);
  return 0;
}
