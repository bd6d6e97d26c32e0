// expect: SAFE
#include <assert.h>
#define KIND(x) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), int), 1, 2)
struct s { int a; } s = {4};
int main(void) {
  int i = 0, a[3];
  long l;
  assert(KIND(i) == 1 && KIND(l) == 2 && KIND(&i) == 2 && __builtin_types_compatible_p(const int, int));
  assert(__builtin_choose_expr(0, i++, 5) == 5 && i == 0 && __builtin_choose_expr(1, s, 3).a == 4);
  assert(!__builtin_types_compatible_p(__typeof__(a), __typeof__(&a[0])) && !__builtin_types_compatible_p(char *, unsigned char *));
  return 0;
}
