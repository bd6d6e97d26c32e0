// expect: SAFE --check=race
// The environment is read and changed under a lock.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  char *s = getenv("COMUS_A");
  pthread_mutex_unlock(&m);
  return s ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  unsetenv("COMUS_A");
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
