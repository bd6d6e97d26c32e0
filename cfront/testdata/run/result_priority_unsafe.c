// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
int main(void) {
  assert(pthread_setschedprio(pthread_self(), 99) == 0);
  return 0;
}
