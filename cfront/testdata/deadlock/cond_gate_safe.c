// expect: SAFE --check=deadlock
// Two threads wait for a gate, which is opened for all.
#include <pthread.h>
pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
int is_open;
void *visitor(void *arg) {
  pthread_mutex_lock(&mu);
  while (!is_open) pthread_cond_wait(&opened, &mu);
  pthread_mutex_unlock(&mu);
  return arg;
}
int main(void) {
  pthread_t v[2];
  for (int i = 0; i < 2; i++) pthread_create(&v[i], 0, visitor, 0);
  pthread_mutex_lock(&mu);
  is_open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&mu);
  for (int i = 0; i < 2; i++) pthread_join(v[i], 0);
}
