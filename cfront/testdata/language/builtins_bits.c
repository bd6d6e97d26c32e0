// expect: SAFE
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_int() | 1;
  assert(__builtin_ctz(x) == 0 && __builtin_ffs(x) == 1 && x >> (31 - __builtin_clz(x)) == 1 && __builtin_popcount(x & 7) <= 3);
  assert(__builtin_clzll(1ULL << 35) == 28 && __builtin_ctzl(-8) == 3 && __builtin_ffs(0) == 0 && __builtin_parity(-8) == 1);
  assert(__builtin_popcountll(-1) == 64 && __builtin_bswap16(0x12345) == 0x4523 && __builtin_bswap32(-2) == 0xfeffffff && sizeof __builtin_bswap16(1) == 2);
  return 0;
}
