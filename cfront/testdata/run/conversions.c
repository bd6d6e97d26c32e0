// expect: SAFE
#include <assert.h>
#include <stdint.h>
#include <limits.h>
unsigned char nd(void) { return __VERIFIER_nondet_uchar(); }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = nd();
  signed char s = (signed char)c;
  assert(s == (c < 128 ? c : c - 256));
  unsigned char d = c + 1;
  assert(d == (c == 255 ? 0 : c + 1));
  unsigned u = c; u = u - 1;
  assert(c != 0 || u == UINT_MAX);
  assert(-1 > 0u);
  assert((short)70000 == 4464);
  assert((-7) / 2 == -3 && (-7) % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
  int k = s;
  assert(k / 3 * 3 + k % 3 == k);
  assert((~k) == -k - 1);
  assert((k & 15) >= 0 && (k & 15) < 16);
  assert((c >> 4) < 16 && (c << 4) == c * 16);
  assert((unsigned char)(c << 4) == (c & 15) * 16);
  _Bool t = c; assert(t == (c != 0));
  assert((k ^ k) == 0 && (k | 0) == k);
  uint64_t big = 18446744073709551615ULL; big++;
  assert(big == 0);
  assert(sizeof(long) == 8 && sizeof(int) == 4 && sizeof(void *) == 8);
  c += 200; c -= 200;
  unsigned short h = c; h *= 65535u; 
  assert((unsigned short)(h + c) == 0);
  char q = 'a'; q++; assert(q == 'b');
  enum { A, B = 5, C }; assert(C == 6 && A == 0);
  assert(!(c == 3) || c + 4 == 7);
  return 0;
}
