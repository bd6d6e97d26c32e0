// expect: UNSAFE --check=race
// The two guards on the input hold both for one value.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int n, x;
void *f(void *arg) {
  if (n >= 0)
    x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, f, 0);
  if (n <= 0)
    x = 2;
  pthread_join(t, 0);
  return 0;
}
