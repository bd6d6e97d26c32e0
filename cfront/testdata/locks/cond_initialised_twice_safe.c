// expect: SAFE --check=locks
// A condition variable that nobody uses is initialised a second time; in the safe one it is destroyed before.
#include <pthread.h>
static pthread_cond_t x;
static void begin(void) {
  pthread_cond_init(&x, 0);
}
int main(void) {
  begin();
  pthread_cond_destroy(&x);
  begin();
  pthread_cond_destroy(&x);
  return 0;
}
