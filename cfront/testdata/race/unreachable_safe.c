// expect: SAFE --check=race
// The code that would race is never reached, as nobody sets its guard.
#include <pthread.h>
int mode, x;
void *f(void *arg) {
  if (mode == 1)
    x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  mode = 2;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
