// expect: UNSAFE --check=race
// A thread reads the string that getenv returned to main, while main changes the environment; the safe one joins it before.
#include <pthread.h>
#include <stdlib.h>
char *value;
void *f(void *arg) {
  return value && value[0] ? arg : 0;
}
int main(void) {
  pthread_t t;
  value = getenv("COMUS_A");
  pthread_create(&t, 0, f, 0);
  int r = setenv("COMUS_A", "1", 1);
  pthread_join(t, 0);
  return r == 7;
}
