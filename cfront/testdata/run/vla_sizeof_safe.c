// expect: SAFE
#include <pthread.h>
#include <assert.h>
int n = 2;
void *f(void *a) { n = 3; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int k = n == 2 ? 2 : 3;
  char x[k], y[5];
  k = 4;
  assert(sizeof x == 2 || sizeof x == 3);
  return 0;
}
