// expect: error 6:3: unsupported: pthread_join of what may be the main thread
#include <pthread.h>
#include <assert.h>
pthread_t m;
void *f(void *arg) {
  pthread_join(m, 0);
  assert(0);
}
int main(void) {
  pthread_t t;
  m = pthread_self();
  pthread_create(&t, 0, f, 0);
  pthread_exit(0);
}
