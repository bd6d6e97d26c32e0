// expect: SAFE
// A clock that nobody sets does not go back, whichever thread looks at it.
#include <assert.h>
#include <pthread.h>
#include <time.h>
struct timespec first;
void *thread(void *p) {
  clock_gettime(CLOCK_MONOTONIC, &first);
  return 0;
}
int main(void) {
  pthread_t t;
  struct timespec then;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  clock_gettime(CLOCK_MONOTONIC, &then);
  assert(then.tv_sec > first.tv_sec || (then.tv_sec == first.tv_sec && then.tv_nsec >= first.tv_nsec));
}
