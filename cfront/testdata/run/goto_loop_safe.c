// expect: SAFE
#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int x = 7;
void *f(void *a) { x++; return 0; }
int main(void) {
  pthread_t t;
  int i = 1, n = 0, jumped = 0;
  pthread_create(&t, 0, f, 0);
  if (__VERIFIER_nondet_bool()) { i = 5; jumped = 1; goto in; }
  i = 2;
  for (; i < 9; i++) {
    n++;
  in:
    if (x == 8) n++;
  }
  assert(i == 9 && n <= 14 && (!jumped || n <= 7));
  return 0;
}
