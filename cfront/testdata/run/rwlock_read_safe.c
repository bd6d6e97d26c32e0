// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l;
int x, y;
void *writer(void *a) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_rwlock_init(&l, 0);
  pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&l);
  int b = x;
  pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);
  int c = y;
  assert(b == c);
  pthread_rwlock_unlock(&l);
  return 0;
}
