// expect: UNSAFE --check=race
// A flag is initialised by atomic_init before the thread is created that reads it; the unsafe one does it behind that.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *f(void *arg) {
  return atomic_load(&flag) ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  atomic_init(&flag, 1);
  pthread_join(t, 0);
  return 0;
}
