// expect: SAFE --check=race
// The mutex is destroyed and the data read when the thread has said that it needs them no more.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int done, data;
void *f(void *arg) {
  data = 1;
  pthread_mutex_lock(&m);
  done = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  while (!done)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  data = 2;
  pthread_join(t, 0);
  return 0;
}
