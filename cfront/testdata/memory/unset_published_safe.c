// expect: SAFE --check=memory
/* Memory is filled before another thread is told of it, or behind. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int ready;
static int *box;
static void *take(void *arg) {
  while (!ready)
    sched_yield();
  if (*box > 5)
    abort();
  return arg;
}
int main(void) {
  pthread_t t;
  box = malloc(sizeof *box);
  pthread_create(&t, 0, take, 0);
  *box = 1;
  ready = 1;
  pthread_join(t, 0);
  free(box);
  return 0;
}
