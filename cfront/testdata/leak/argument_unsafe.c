// expect: UNSAFE --check=leak
/* The thread frees the argument it is given. */
#include <pthread.h>
#include <stdlib.h>
static int seen;
static void *thread(void *arg) {
  seen = *(int *)arg;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  *p = 5;
  pthread_create(&t, 0, thread, p);
  pthread_join(t, 0);
  return 0;
}
