// expect: SAFE
#include <pthread.h>
#include <stdio.h>
#include <assert.h>
int x = 1, y = 1;
void *f(void *a) { int n = scanf("%d,%d", &x, &y); if (n < 1) assert(x == 1 && y == 1); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
