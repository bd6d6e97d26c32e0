// expect: UNSAFE --check=race
// posix_memalign writes the address of what it allocates.
#include <pthread.h>
#include <stdlib.h>
void *shared;
void *f(void *arg) {
  void *own = 0;
  (void)own;
  return posix_memalign(&shared, 16, 16) ? 0 : arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
