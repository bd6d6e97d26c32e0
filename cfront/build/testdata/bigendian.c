/* Records in big-endian order. */
#include <stdio.h>
#include <string.h>
struct __attribute__((scalar_storage_order("big-endian"))) be { unsigned short s; int i; unsigned a : 3, b : 9, c : 20; long long l; double d; float f[2]; unsigned char ch; _Bool q; signed x : 5; unsigned long long w : 40; };
static struct be g = {0x1234, -2, 5, 300, 0x12345, 0x0102030405060708LL, 1.5, {2.5f, -1}, 7, 1, -3, 0x123456789aULL};
int main(void) {
  struct be b;
  memset(&b, 0, sizeof b);
  b.s = 0x1234; b.i = -2; b.a = 5; b.b = 300; b.c = 0x12345; b.l = 0x0102030405060708LL; b.d = 1.5; b.f[0] = 2.5f; b.f[1] = -1; b.ch = 7; b.q = 1; b.x = -3; b.w = 0x123456789aULL;
  unsigned char *p = (unsigned char *)&b, *r = (unsigned char *)&g;
  for (unsigned k = 0; k < sizeof b; k++) printf("%02x%02x ", p[k], r[k]);
  printf("\n%zu %x %d %u %u %x %llx %g %g %g %d %d %d %llx\n", sizeof b, b.s, b.i, b.a, b.b, b.c, b.l, b.d, b.f[0], b.f[1], b.ch, b.q, b.x, (unsigned long long)b.w);
  b.i++; b.b += 3; b.c <<= 1; b.f[1] *= 3; b.x--; b.w++; b.s ^= 0xff00;
  printf("%x %d %u %x %g %d %llx\n", b.s, b.i, b.b, b.c, b.f[1], b.x, (unsigned long long)b.w);
}
