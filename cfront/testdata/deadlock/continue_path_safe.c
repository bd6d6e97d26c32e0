// expect: SAFE --check=deadlock
// The lock is released in each round of a loop.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    if (x > 0) {
      pthread_mutex_unlock(&m);
      continue;
    }
    x++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
