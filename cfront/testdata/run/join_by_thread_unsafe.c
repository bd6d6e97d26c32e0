// expect: UNSAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
struct worker { pthread_t id; int done; } w[2];
void *f(void *arg) {
  w[0].done = 1;
  return 0;
}
void *g(void *arg) {
  pthread_t t = (pthread_t)arg;
  pthread_equal(t, pthread_self());
  assert(w[0].done);
  return 0;
}
int main(void) {
  pthread_create(&w[0].id, 0, f, 0);
  pthread_t c = w[0].id;
  pthread_create(&w[1].id, 0, g, (void *)c);
  pthread_join(w[1].id, 0);
  assert(!pthread_equal(w[0].id, w[1].id));
  return 0;
}
