// expect: UNSAFE --check=race
// The lock is taken before the loop and released in its first round.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 2; i++) {
    x++;
    if (i == 0)
      pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x = 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
