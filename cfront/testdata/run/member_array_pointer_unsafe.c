// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct { int v[2]; } s; int m[2][2];
void put(int *p) { *p = 1; }
void *f(void *p) { put(s.v); put(m[1]); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(s.v[0] == 0 || m[1][0] == 0);
  return 0;
}
