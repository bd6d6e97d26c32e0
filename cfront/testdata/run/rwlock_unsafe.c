// expect: UNSAFE
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *inc(void *a) {
  pthread_rwlock_rdlock(&l);
  x++;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, inc, 0);
  inc(0);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
