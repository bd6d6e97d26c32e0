// expect: SAFE --check=race
// main moves the object after it has joined the thread that writes it.
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
  pthread_join(t, 0);
  p = realloc(p, 8);
  free(p);
  return 0;
}
