// expect: UNSAFE --check=leak
/* A variable of a thread's own is gone when the thread has ended; main's is not. */
#include <pthread.h>
#include <stdlib.h>
static _Thread_local int *own;
static void *thread(void *arg) {
  own = malloc(sizeof *own);
  *own = *(int *)arg;
  return 0;
}
int main(void) {
  pthread_t t;
  int x = 1;
  own = malloc(sizeof *own);
  *own = 2;
  pthread_create(&t, 0, thread, &x);
  pthread_join(t, 0);
  return 0;
}
