// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *a) { x = 'ab'; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(x == 0 || x == 24930);
  return 0;
}
