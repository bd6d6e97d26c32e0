// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct r { int a, b; };
void *f(void *a) {
  struct r *r = malloc(sizeof *r);
  r->a = (long)a;
  r->b = 2 * (long)a;
  return r;
}
int main(void) {
  pthread_t t, u;
  struct r *x, *y;
  void *v;
  pthread_create(&t, 0, f, (void *)3);
  pthread_create(&u, 0, f, (void *)4);
  pthread_join(t, &v);
  x = v;
  pthread_join(u, (void **)&y);
  assert(x->a == 3 && x->b == 6 && y->b == 8 && x != y);
  free(x);
  free(y);
  return 0;
}
