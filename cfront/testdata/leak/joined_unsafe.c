// expect: UNSAFE --check=leak
/* The result of a thread is freed by who joins it. */
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *arg) {
  int *r = malloc(sizeof *r);
  *r = *(int *)arg;
  return r;
}
int main(void) {
  pthread_t t;
  int x = 4;
  pthread_create(&t, 0, thread, &x);
 pthread_join(t, 0);
  return 0;
}
