// expect: UNSAFE --check=memory
/* Memory that one thread allocates is freed by another one, which may do that again. */
#include <pthread.h>
#include <stdlib.h>
static void *made;
static void *thread(void *arg) {
  made = malloc(4);
  return arg;
}
static void drop(void *p) { free(p); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  drop(made);
 drop(made);
  return 0;
}
