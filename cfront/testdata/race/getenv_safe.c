// expect: SAFE --check=race
// One thread reads the environment while the other one reads it too.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  return getenv("COMUS_A") ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = getenv("COMUS_B") != 0;
  pthread_join(t, 0);
  return r == 7;
}
