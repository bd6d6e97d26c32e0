// expect: SAFE --check=deadlock
// A buffer of one element with one condition variable for each side.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full;
void *take(void *arg) {
  pthread_mutex_lock(&m);
  while (!full)
    pthread_cond_wait(&filled, &m);
  full = 0;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, take, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (full)
      pthread_cond_wait(&emptied, &m);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}
