// expect: UNSAFE --check=race
// rand is not required to avoid data races with other calls of it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  int r = rand();
  return r == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
