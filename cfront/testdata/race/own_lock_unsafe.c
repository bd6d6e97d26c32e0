// expect: UNSAFE --check=race
// Threads made in a loop have a mutex of their own each.
#include <pthread.h>
int x;
void *f(void *arg) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++)
    pthread_create(&t, 0, f, 0);
  return 0;
}
