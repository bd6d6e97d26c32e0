// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
void *f(void *arg) {
  exit(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(0);
  return 0;
}
