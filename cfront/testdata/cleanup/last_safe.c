// expect: SAFE --check=cleanup
/* The last thread ends the program, and frees what it was given before. */
#include <pthread.h>
#include <stdlib.h>
static _Thread_local int *mine;
static void *work(void *arg) {
  mine = arg;
  free(mine);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, malloc(4));
  pthread_exit(0);
}
