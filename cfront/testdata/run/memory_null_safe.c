// expect: SAFE --check=memory
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, *p;
void *f(void *a) { p = &x; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (p) *p = 1;
  pthread_join(t, 0);
  *p = 2;
  return 0;
}
