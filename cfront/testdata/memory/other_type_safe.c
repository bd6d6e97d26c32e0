// expect: SAFE --check=memory
/* A thread begins with a function of one parameter. */
#include <pthread.h>
static void *work(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))work, 0);
  pthread_join(t, 0);
  return 0;
}
