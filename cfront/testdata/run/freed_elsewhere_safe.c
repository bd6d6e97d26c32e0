// expect: SAFE
/* Memory that one thread allocates, and nobody accesses, is freed by another one, which goes on. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *made;
static int count;
static void *thread(void *arg) {
  made = malloc(4);
  count++;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  free(made);
  assert(count == 1);
  return 0;
}
