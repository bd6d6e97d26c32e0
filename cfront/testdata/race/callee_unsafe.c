// expect: UNSAFE --check=race
// A callee two calls deep touches the data after the lock was released by its caller.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void leaf(void) { x++; }
void middle(void) {
  pthread_mutex_unlock(&m);
  leaf();
}
void *f(void *arg) {
  pthread_mutex_lock(&m);
  middle();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
