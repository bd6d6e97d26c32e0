// expect: UNSAFE --check=deadlock
// Three threads take two of three locks each, the last one closes the cycle.
#include <pthread.h>
pthread_mutex_t m[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
void both(int i, int j) {
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[j]);
  pthread_mutex_unlock(&m[j]);
  pthread_mutex_unlock(&m[i]);
}
void *f(void *arg) {
  both(0, 1);
  return 0;
}
void *g(void *arg) {
  both(1, 2);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  both(2, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
