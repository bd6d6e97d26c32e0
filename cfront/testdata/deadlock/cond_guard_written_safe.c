// expect: SAFE --check=deadlock
// A signal after the guard of the wait was changed.
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
int left = 1;
void *waits(void *a) {
  pthread_mutex_lock(&lock);
  while (left > 0) pthread_cond_wait(&emptied, &lock);
  pthread_mutex_unlock(&lock);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_mutex_lock(&lock);
  left--;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&emptied);
  pthread_join(t, 0);
}
