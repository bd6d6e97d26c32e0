// expect: SAFE
#include <pthread.h>
#include <assert.h>
void *f(void *p) { return (void *)((long)p + 1); }
void *g(void *p) { ++*(int *)p; return 0; }
int main(void) {
  pthread_t t, u;
  int x = 1;
  void *r;
  assert(pthread_create(&t, 0, f, (void *)4) == 0);
  pthread_create(&u, 0, g, &x);
  pthread_join(t, &r);
  pthread_join(u, 0);
  assert((long)r == 5 && x == 2);
  return 0;
}
