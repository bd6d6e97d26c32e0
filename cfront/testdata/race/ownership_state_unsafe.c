// expect: UNSAFE --check=race
// What belongs to whom is said by a state under the lock, and main takes what is not yet its own.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int state, data;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  state = 1;
  pthread_mutex_unlock(&m);
  data++;
  pthread_mutex_lock(&m);
  state = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  int s = state;
  pthread_mutex_unlock(&m);
  if (s == 1)
    data++;
  pthread_join(t, 0);
  return 0;
}
