// expect: SAFE --check=race
// Two threads read the environment, one of them by environ; in the unsafe one the other one changes it.
#include <pthread.h>
#include <stdlib.h>
extern char **environ;
void *f(void *arg) {
  return environ ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = getenv("COMUS_B") != 0;
  pthread_join(t, 0);
  return r == 7;
}
