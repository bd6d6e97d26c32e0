// expect: SAFE
// The library writes where a pointer leads that another thread has set: to something else than the assertion is about, in the unsafe one to that.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static char seen[16], other[16], third[16];
static char *where = other;
static void *thread(void *arg) {
  where = third;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  pthread_getname_np(pthread_self(), where, sizeof seen);
  assert(!seen[0]);
  return 0;
}
