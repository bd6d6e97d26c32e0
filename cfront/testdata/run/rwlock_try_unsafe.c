// expect: UNSAFE
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l;
void *reader(void *a) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  int r = pthread_rwlock_trywrlock(&l);
  assert(r == 0);
  pthread_rwlock_unlock(&l);
  return 0;
}
