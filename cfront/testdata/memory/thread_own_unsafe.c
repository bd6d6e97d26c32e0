// expect: UNSAFE --check=memory
/* A variable of a thread's own is read after its thread has ended, or before. */
#include <pthread.h>
static _Thread_local int own;
static int *shown;
static pthread_barrier_t stage;
static void *thread(void *arg) {
  own = 3;
  shown = &own;
  pthread_barrier_wait(&stage);
  pthread_barrier_wait(&stage);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&stage, 0, 2);
  pthread_create(&t, 0, thread, 0);
  pthread_barrier_wait(&stage);
  int before = *shown;
  pthread_barrier_wait(&stage);
  pthread_join(t, 0);
 int after = *shown;
  return after - before;
}
