// expect: SAFE
#include <assert.h>
#include <stddef.h>
struct in { int l, m; };
struct s { char c; int a[4]; struct in in, more[3]; struct { int x; int y[2]; }; };
int main(void) {
  int k = 1;
  char size[offsetof(struct s, more[2])];
  assert(offsetof(struct s, a[2]) == 12 && offsetof(struct s, in.m) == 24 && __builtin_offsetof(struct s, more[1].m) == 40);
  assert(offsetof(struct s, a[k]) == 8 && offsetof(struct s, more[k + 1].m) == 48 && offsetof(struct s, y[1]) == 60);
  assert(sizeof size == 44 && sizeof offsetof(struct s, x) == sizeof(size_t));
  return 0;
}
