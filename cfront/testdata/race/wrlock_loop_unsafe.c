// expect: UNSAFE --check=race
// In a loop, the read-write lock is taken for reading by who reads, and by who writes.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) {
  while (__VERIFIER_nondet_int()) {
    pthread_rwlock_rdlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  while (__VERIFIER_nondet_int()) {
    pthread_rwlock_rdlock(&l);
    int r = x;
    pthread_rwlock_unlock(&l);
    if (r == 2)
      return 1;
  }
  return 0;
}
