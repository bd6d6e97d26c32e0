// expect: SAFE
#include <pthread.h>
#include <assert.h>
int m[2][2]; int *row = m[1];
void *f(void *p) { *row = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(m[1][0] == 1);
  return 0;
}
