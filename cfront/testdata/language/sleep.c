// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
#include <unistd.h>
int x;
void *f(void *arg) {
  sleep(1);
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  usleep(10);
  int v = x;
  assert(v == 0);
  return 0;
}
