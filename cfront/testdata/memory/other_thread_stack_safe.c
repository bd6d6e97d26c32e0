// expect: SAFE --check=memory
/* A thread uses a local of the function that made it, which may have returned. */
#include <pthread.h>
static pthread_t t;
static void *thread(void *arg) {
  *(int *)arg = 1;
  return 0;
}
static void start(void) {
  int x = 0;
  pthread_create(&t, 0, thread, &x);
 pthread_join(t, 0);
}
int main(void) {
  start();
  return 0;
}
