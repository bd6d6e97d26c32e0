// expect: UNSAFE --check=race
// An array of locks, chosen by the thread instead of the element that is touched.
#include <pthread.h>
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int v[2];
void *f(void *arg) {
  long id = (long)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m[id]);
    v[i] += id;
    pthread_mutex_unlock(&m[id]);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, (void *)1);
  f((void *)0);
  pthread_join(t, 0);
  return 0;
}
