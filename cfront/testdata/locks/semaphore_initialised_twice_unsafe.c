// expect: UNSAFE --check=locks
// A semaphore that nobody uses is initialised a second time; in the safe one it is destroyed before.
#include <semaphore.h>
static sem_t x;
static void begin(void) {
  sem_init(&x, 0, 1);
}
int main(void) {
  begin();
  begin();
  sem_destroy(&x);
  return 0;
}
