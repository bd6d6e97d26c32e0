// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
int a[2];
void fill(int q[], int n) { while (n--) q[1] = 5; }
int main(void) {
  int *p = a, n = 1 + __VERIFIER_nondet_bool();
  while (n--) p[0] = 7;
  fill(a, 1 + __VERIFIER_nondet_bool());
  assert(a[0] == 0 || a[1] == 0);
  return 0;
}
