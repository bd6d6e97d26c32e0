// expect: SAFE --check=race
// A function that is called gives back a mutex, but not the one that protects the data.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
int x;
static void done(pthread_mutex_t *a, pthread_mutex_t *b) {
  if (a != b)
    pthread_mutex_unlock(a);
}
void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&k);
  done(&k, 0);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
