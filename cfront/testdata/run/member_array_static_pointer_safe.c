// expect: SAFE
#include <pthread.h>
#include <assert.h>
struct { int n, v[2]; } s; int *row = s.v;
void *f(void *p) { row[1] = 3; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(s.v[1] == 3 && s.v[0] == 0);
  return 0;
}
