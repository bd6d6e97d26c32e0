// expect: SAFE
#include <pthread.h>
#include <assert.h>
struct { int n, v[2]; } s; int m[2][2];
void *f(void *p) { *s.v = 1; (*m[1])++; *(m[1] + 1) = 2; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(*s.v == 1 && m[1][0] == 1 && m[1][1] == 2);
  return 0;
}
