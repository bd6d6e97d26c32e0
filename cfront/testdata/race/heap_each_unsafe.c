// expect: UNSAFE --check=race
// The threads use one object, allocated by main.
#include <pthread.h>
#include <stdlib.h>
int *common;
void *f(void *arg) {
  int *p = common;
  if (!p)
    return 0;
  *p = 1;
  *p += 1;
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
