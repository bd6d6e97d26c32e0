// expect: UNSAFE --check=race
// main moves the object while a thread may still write it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  *(int *)arg = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(4);
  if (!p)
    return 1;
  pthread_create(&t, 0, f, p);
  p = realloc(p, 8);
  pthread_join(t, 0);
  free(p);
  return 0;
}
