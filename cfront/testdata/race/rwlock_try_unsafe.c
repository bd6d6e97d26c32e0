// expect: UNSAFE --check=race
// A trywrlock that fails tells of a reader, but orders nothing; a wrlock does.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  x = 1;
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  return arg;
}
void *g(void *arg) {
  if (pthread_rwlock_trywrlock(&l) != 0) {
    x = 2;
    pthread_rwlock_wrlock(&l);
  }
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
