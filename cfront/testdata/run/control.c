// expect: SAFE
#include <assert.h>
int f(int n) { switch (n) { case 0: return 10; case 1: case 2: n += 5; break; default: n = -1; } return n; }
int g(int a, int b) { if (a > b) return a; return b; }
int side; int touch(int v) { side = side * 10 + v; return v; }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main() {
  unsigned char n = __VERIFIER_nondet_uchar();
  int r = f(n);
  assert(n != 0 || r == 10); assert(n != 1 || r == 6); assert(n != 2 || r == 7); assert(n < 3 || r == -1);
  assert(g(n, 5) >= 5 && g(3, g(n, 2)) >= 3);
  int i, s = 0;
  for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; }
  assert(s == 0 + 1 + 2 + 4 + 5 && i == 6);
  do { s--; } while (s > 3);
  assert(s == 3);
  while (n > 0) n--;
  assert(n == 0);
  int a = 1, b = a++ + a++; 
  assert(a == 3 && b == 3);
  int t = touch(1) + touch(2) * touch(3);
  assert(t == 7 && side == 123);
  t = touch(0) && touch(4); assert(t == 0 && side == 1230);
  t = touch(0) || touch(4); assert(t == 1 && side == 123004);
  i = 0;
again:
  i++;
  if (i < 3) goto again;
  assert(i == 3);
  goto end;
  assert(0);
end:
  t = (i = 5, i + 1); assert(t == 6 && i == 5);
  t = i > 2 ? i++ : i--; assert(t == 5 && i == 6);
  int z = i += 2; assert(z == 8);
  return 0;
}
