// expect: SAFE --check=deadlock
// The last of three threads joins nobody.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t[3];
void *f(void *arg) {
  long next = ((long)arg + 1) % 3;
  pthread_mutex_lock(&m);
  pthread_t other = t[next];
  pthread_mutex_unlock(&m);
  if (next != 0)
    pthread_join(other, 0);
  return 0;
}
int main(void) {
  pthread_mutex_lock(&m);
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, f, (void *)i);
  pthread_mutex_unlock(&m);
  pthread_exit(0);
}
