// expect: SAFE --check=race
// One thread at a time calls strerror.
#include <pthread.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  char *s = strerror(2);
  pthread_mutex_unlock(&m);
  return s ? 0 : arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
