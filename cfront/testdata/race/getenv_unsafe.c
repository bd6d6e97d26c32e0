// expect: UNSAFE --check=race
// One thread reads the environment while the other one changes it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) {
  return getenv("COMUS_A") ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = setenv("COMUS_B", "1", 1);
  pthread_join(t, 0);
  return r == 7;
}
