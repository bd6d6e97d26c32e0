// expect: SAFE
#include <pthread.h>
#include <assert.h>
struct { int n; pthread_t ids[2]; } s; int x;
void *f(void *p) { x = 1; return 0; }
int main(void) {
  pthread_create(s.ids, 0, f, 0);
  pthread_join(s.ids[0], 0);
  assert(x == 1);
  return 0;
}
