// expect: UNSAFE --check=race
// Two threads read the same variable and one of them writes it as well.
#include <pthread.h>
int limit = 3, y;
void *f(void *arg) {
  y = limit + 1;
  limit = y;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = limit;
  pthread_join(t, 0);
  return r == 0;
}
