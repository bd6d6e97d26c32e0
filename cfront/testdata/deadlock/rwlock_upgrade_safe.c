// expect: SAFE --check=deadlock
// The lock for reading is released before the one for writing is taken.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_rwlock_rdlock(&l);
  int empty = x == 0;
  pthread_rwlock_unlock(&l);
  if (empty) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
