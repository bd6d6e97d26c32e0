// expect: SAFE --check=race
// A loop gives the mutex back in each turn, and takes it again.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_mutex_lock(&m);
  while (__VERIFIER_nondet_int()) {
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
