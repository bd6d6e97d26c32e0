// expect: UNSAFE --check=leak
/* main ends by pthread_exit; the last thread ends the program. */
#include <pthread.h>
#include <stdlib.h>
int *shared;
static void *thread(void *arg) {
  int *p = arg;
  *p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  pthread_create(&t, 0, thread, p);
  pthread_detach(t);
  pthread_exit(0);
}
