// expect: UNSAFE --check=locks
// A mutex that nobody uses is initialised a second time; in the safe one it is destroyed before.
#include <pthread.h>
static pthread_mutex_t x;
static void begin(void) {
  pthread_mutex_init(&x, 0);
}
int main(void) {
  begin();
  begin();
  pthread_mutex_destroy(&x);
  return 0;
}
