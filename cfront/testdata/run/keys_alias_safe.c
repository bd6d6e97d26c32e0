// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_key_t k;
unsigned char __VERIFIER_nondet_uchar(void);
int y, z;
int main(void) {
  int n = __VERIFIER_nondet_uchar(), i = 0;
  int x = 0;
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &y);
  int *p = pthread_getspecific(k);
  if (n > 3) return 0;
  while (i < n) {
    assert(x == 0);
    *p = 1;
    i++;
  }
  return 0;
}
