// expect: SAFE
// What a program has used of the processor's time does not get less, whichever thread asks.
#include <assert.h>
#include <pthread.h>
#include <time.h>
clock_t first;
void *thread(void *p) {
  first = clock();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(clock() - first >= 0);
}
