// expect: UNSAFE --check=race
// What pthread_cond_wait has taken again is released before the data is written.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int turn, x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  turn = 1;
  pthread_cond_signal(&c);
  while (turn != 2)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  x = 3;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  while (turn != 1)
    pthread_cond_wait(&c, &m);
  turn = 2;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
