// expect: SAFE --check=memory
/* Two threads free the same object. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *p;
static atomic_int users = 2;
static void *release(void *arg) {
 if (atomic_fetch_sub(&users, 1) == 1)
    free(p);
  return arg;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&t, 0, release, 0);
  release(0);
  pthread_join(t, 0);
  return 0;
}
