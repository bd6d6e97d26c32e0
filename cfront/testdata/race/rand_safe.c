// expect: SAFE --check=race
// rand_r keeps its state where the caller says.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  unsigned seed = 1;
  int r = rand_r(&seed);
  return r == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
