// expect: SAFE --check=race
// Each thread allocates its own object in the same line.
#include <pthread.h>
#include <stdlib.h>
int *common;
void *f(void *arg) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  *p = 1;
  *p += 1;
  free(p);
  return 0;
}
int main(void) {
  pthread_t t, u;
  common = malloc(sizeof *common);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  free(common);
  return 0;
}
