// expect: SAFE
#include <pthread.h>
#include <assert.h>
/* each level has a variable of its own, also one whose address is taken */
int x, last;
void add(int *p, int n) { *p = *p + n; }
int sum(int n) { int here = n; if (n > 1) { int rest = sum(n - 1); add(&here, rest); } return here; }
void *f(void *a) { x = sum(4); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(x == 10);
  return 0;
}
