// expect: UNSAFE --check=deadlock
// A callback is called with the lock that it takes itself.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void on_change(void) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
}
void (*callback)(void) = on_change;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  callback();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
