// expect: SAFE --check=race
// An index from the input is kept out of the other thread's element.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int a[3];
void *f(void *arg) {
  a[2] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    i = 0;
  pthread_create(&t, 0, f, 0);
  a[i] = 2;
  pthread_join(t, 0);
  return 0;
}
