// expect: UNSAFE --check=deadlock
// The lock is not released on the path of an error.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
int step(int n) {
  pthread_mutex_lock(&m);
  if (n == 1) {
    return -1;
  }
  x += n;
  pthread_mutex_unlock(&m);
  return 0;
}
void *f(void *arg) {
  step(2);
  return 0;
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, f, 0);
  step(n);
  pthread_join(t, 0);
  return 0;
}
