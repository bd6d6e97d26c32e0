// expect: UNSAFE
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair p; int c; };
int v, *ptrs[3] = { [0 ... 2] = &v, [1] = 0 };
int main(void) {
  int m[2][2] = { [0 ... 1] = { 1, 2 }, [1] = { 3, 2 } };
  char s[2][4] = { [0 ... 1] = "abc", [1] = "x" };
  struct outer x = { .p = { 1, 2 }, .c = 3, .p = { .a = 5 } };
  int twice[2] = { 1, 2, [0] = 3 };
  assert(m[0][1] == 2 && m[1][0] == 3 && m[1][1] == 0);
  assert(s[0][2] == 'c' && s[1][0] == 'x' && s[1][2] == 0);
  assert(x.p.a == 5 && x.p.b == 0 && x.c == 3);
  assert(twice[0] == 3 && twice[1] == 2 && ptrs[1] == 0);
  return 0;
}
