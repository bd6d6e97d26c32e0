// expect: UNSAFE --check=race
// The code that races is reached, as its guard is set.
#include <pthread.h>
int mode, x;
void *f(void *arg) {
  if (mode == 1)
    x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  mode = 1;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
