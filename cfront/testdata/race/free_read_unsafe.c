// expect: UNSAFE --check=race
// main frees the object while a thread may still read it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  int *p = arg;
  return *p == 2 ? arg : 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  if (!p)
    return 1;
  *p = 1;
  pthread_create(&t, 0, f, p);
  free(p);
  pthread_join(t, 0);
  return 0;
}
