// expect: UNSAFE --check=deadlock
// Five threads wait in a circle for five locks while main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                        PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void *f(void *arg) {
  long i = (long)arg, x = i < 4 ? i : 4, y = i < 4 ? i + 1 : 0;
  pthread_t next;
  pthread_mutex_lock(&m[x]);
  if (i < 4)
    pthread_create(&next, 0, f, (void *)(i + 1));
  pthread_mutex_lock(&m[y]);
  pthread_mutex_unlock(&m[y]);
  pthread_mutex_unlock(&m[x]);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  for (;;)
    sched_yield();
}
