// expect: UNSAFE --check=locks
// A read-write lock that nobody uses is initialised a second time; in the safe one it is destroyed before.
#include <pthread.h>
static pthread_rwlock_t x;
static void begin(void) {
  pthread_rwlock_init(&x, 0);
}
int main(void) {
  begin();
  begin();
  pthread_rwlock_destroy(&x);
  return 0;
}
