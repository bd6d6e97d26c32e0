// expect: SAFE --check=race
// Each thread has its own instance of a thread-local variable.
#include <pthread.h>
static __thread int x;
void *f(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
