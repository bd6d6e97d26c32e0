// expect: UNSAFE --check=memory
/* The result of a thread is the address of its local. */
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *arg) {
 int x = *(int *)arg;
 int *r = &x;
  return r;
}
int main(void) {
  pthread_t t;
  int seven = 7;
  void *r;
  pthread_create(&t, 0, thread, &seven);
  pthread_join(t, &r);
  return *(int *)r - 7;
}
