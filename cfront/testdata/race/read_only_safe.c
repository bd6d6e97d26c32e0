// expect: SAFE --check=race
// Two threads read the same variable and none writes.
#include <pthread.h>
int limit = 3, y;
void *f(void *arg) {
  y = limit + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = limit;
  pthread_join(t, 0);
  return r == 0;
}
