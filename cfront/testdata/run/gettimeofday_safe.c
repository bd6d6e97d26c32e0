// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>

struct timeval now;

void *f(void *arg) {
  gettimeofday(&now, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(now.tv_usec < 1000000);
  return 0;
}
