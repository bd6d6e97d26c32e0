// expect: SAFE
// All calls have one mutex, which the first one goes on to hold.
#include <pthread.h>
#include <assert.h>
int n;
void enter(void) {
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  if (pthread_mutex_trylock(&m) == 0) n++;
}
int main(void) {
  enter();
  enter();
  assert(n < 2);
  return 0;
}
