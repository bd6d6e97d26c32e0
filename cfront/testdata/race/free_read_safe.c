// expect: SAFE --check=race
// main frees the object after it has joined the thread that reads it.
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
  pthread_join(t, 0);
  free(p);
  return 0;
}
