// expect: SAFE
#include <pthread.h>
#include <assert.h>
int n;
int swap(int k, int a, int b) { return k == 0 ? a - b : swap(k - 1, b, a); }
void *set(void *p) { n = 4; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  assert(swap(n, 1, 2) == -1);
  return 0;
}
