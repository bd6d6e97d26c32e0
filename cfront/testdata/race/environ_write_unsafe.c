// expect: UNSAFE --check=race
// Main writes environ while a thread looks for a variable of the environment; the safe one does it when the thread was joined.
#include <pthread.h>
#include <stdlib.h>
extern char **environ;
void *f(void *arg) {
  return getenv("COMUS_A") ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  environ = 0;
  pthread_join(t, 0);
  return 0;
}
