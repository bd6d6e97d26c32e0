// expect: UNSAFE
// Each call has a mutex of its own, and nobody holds it at first.
#include <pthread.h>
#include <assert.h>
int n;
void enter(void) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0);
  if (pthread_mutex_trylock(&m) == 0) n++;
}
int main(void) {
  enter();
  enter();
  assert(n < 2);
  return 0;
}
