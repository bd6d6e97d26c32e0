// expect: UNSAFE --check=cleanup
/* main returns while a thread may not have freed its memory yet. */
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  int *own = malloc(4);
  *own = 1;
  free(own);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  return 0;
}
