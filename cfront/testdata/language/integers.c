// expect: SAFE
#include <assert.h>
int main(void) {
  _Bool b = 5;
  signed char c = (signed char)200;
  unsigned char uc = 300;
  short s = (short)40000;
  unsigned short us = -1;
  int i = -7 / 2;
  unsigned u = -1;
  long l = 1L << 40;
  unsigned long ul = -1;
  long long ll = -1;
  unsigned long long ull = ll;
  assert(b == 1 && c == -56 && uc == 44 && s == -25536 && us == 65535 && i == -3 && -7 % 2 == -1);
  assert(u == 4294967295u && l == 1099511627776 && ul == ull && u > 0 && -1 > 0u);
  return 0;
}
