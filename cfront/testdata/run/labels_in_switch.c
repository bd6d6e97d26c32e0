// expect: SAFE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main() {
  unsigned char n = __VERIFIER_nondet_uchar(); int r = 0;
  switch (n) { case 0: r = 1; goto out; in: case 1 ... 3: r += 10; break; case 4: goto in; default: r = 5; }
  assert(n == 0 || (n >= 1 && n <= 4 ? r == 10 : r == 5));
out:
  assert(n != 0 || r == 1);
  return 0;
}
