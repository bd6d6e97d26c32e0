// expect: SAFE --check=deadlock
// Three philosophers, the last of whom takes the other fork first.
#include <pthread.h>
pthread_mutex_t stick[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
void *eat(void *arg) {
  long left = (long)arg, right = (left + 1) % 3;
  if (left == 2) {
    left = 0;
    right = 2;
  }
  pthread_mutex_lock(&stick[left]);
  pthread_mutex_lock(&stick[right]);
  pthread_mutex_unlock(&stick[right]);
  pthread_mutex_unlock(&stick[left]);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, eat, (void *)1);
  pthread_create(&u, 0, eat, (void *)2);
  eat((void *)0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
