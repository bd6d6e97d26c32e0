// expect: SAFE --check=locks
// A barrier that nobody uses is initialised a second time; in the safe one it is destroyed before.
#include <pthread.h>
static pthread_barrier_t x;
static void begin(void) {
  pthread_barrier_init(&x, 0, 1);
}
int main(void) {
  begin();
  pthread_barrier_destroy(&x);
  begin();
  pthread_barrier_destroy(&x);
  return 0;
}
