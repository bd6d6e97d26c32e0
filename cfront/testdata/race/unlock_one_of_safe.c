// expect: SAFE --check=race
// One of two mutexes is given back early, neither of which protects the data.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t k[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x;
void *f(void *arg) {
  pthread_mutex_t *p[2] = {&k[0], &k[1]};
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&k[0]);
  pthread_mutex_lock(&k[1]);
  int i = __VERIFIER_nondet_int() != 0;
  pthread_mutex_unlock(p[i]);
  x++;
  if (1)
    pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
