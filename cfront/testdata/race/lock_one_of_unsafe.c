// expect: UNSAFE --check=race
// Two pointers may be chosen from, and only one is to the mutex that protects the data.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  pthread_mutex_t *p[2] = {&m, &k};
  int i = __VERIFIER_nondet_int() != 0;
  pthread_mutex_lock(p[i]);
  x++;
  pthread_mutex_unlock(p[i]);
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
