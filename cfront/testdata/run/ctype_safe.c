// expect: SAFE
#include <assert.h>
#include <ctype.h>
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);
int digits, c;

void *f(void *arg) {
  if (isdigit(c))
    digits = c - '0';
  return 0;
}

int main(void) {
  pthread_t t;
  c = toupper(__VERIFIER_nondet_uchar());
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(digits >= 0 && digits <= 9);
  assert(!islower(c));
  return 0;
}
