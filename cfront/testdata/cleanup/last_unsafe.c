// expect: UNSAFE --check=cleanup
/* The last thread ends the program: what it was given is kept in its thread-local variable. */
#include <pthread.h>
#include <stdlib.h>
static _Thread_local int *mine;
static void *work(void *arg) {
  mine = arg;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, malloc(4));
  pthread_exit(0);
}
