// expect: SAFE
#include <pthread.h>
#include <assert.h>
int limit[4] = {[0 ... 2] = 5, 6};
int *p = (int[]){[1 ... 2] = 3};
int x;
void *f(void *a) { x = limit[2] + p[2]; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(x == 0 || x + limit[3] == 14);
  return 0;
}
