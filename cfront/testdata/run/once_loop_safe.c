// expect: SAFE
#include <pthread.h>
#include <assert.h>

pthread_once_t o = PTHREAD_ONCE_INIT;
int __VERIFIER_nondet_int(void);
void init(void);
int main(void) {
  int n = 0, k = __VERIFIER_nondet_int();
  int *p = &n;
  extern int calls;
  while (k > 0) {
    pthread_once(&o, init);
    n = calls;
    k--;
    if (n > 2) break;
  }
  assert(n <= 1);
  return 0;
}
int calls;
void init(void) { calls++; }
