// expect: SAFE --check=locks
/* A condition variable on the heap is initialised before it is used. */
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_cond_t *c = malloc(sizeof *c);
 pthread_cond_init(c, 0);
  pthread_cond_broadcast(c);
  free(c);
  return 0;
}
