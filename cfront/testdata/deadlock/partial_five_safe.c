// expect: SAFE --check=deadlock
// Five threads take two neighbouring locks of five each, the smaller first.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                        PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void take(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
void *f0(void *arg) {
  take(&m[0], &m[1]);
  return 0;
}
void *f1(void *arg) {
  take(&m[1], &m[2]);
  return 0;
}
void *f2(void *arg) {
  take(&m[2], &m[3]);
  return 0;
}
void *f3(void *arg) {
  take(&m[3], &m[4]);
  return 0;
}
void *f4(void *arg) {
  take(&m[0], &m[4]);
  return 0;
}
int main(void) {
  pthread_t t[5];
  pthread_create(&t[0], 0, f0, 0);
  pthread_create(&t[1], 0, f1, 0);
  pthread_create(&t[2], 0, f2, 0);
  pthread_create(&t[3], 0, f3, 0);
  pthread_create(&t[4], 0, f4, 0);
  for (;;)
    sched_yield();
}
