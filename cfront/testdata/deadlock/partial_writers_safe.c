// expect: SAFE --check=deadlock
// Two threads take two read-write locks as writers in the same order while main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *arg) {
  pthread_rwlock_wrlock(&a);
  pthread_rwlock_wrlock(&b);
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  return 0;
}
void *g(void *arg) {
  pthread_rwlock_wrlock(&a);
  pthread_rwlock_wrlock(&b);
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}
