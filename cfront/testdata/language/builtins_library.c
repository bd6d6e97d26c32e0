// expect: SAFE
#include <assert.h>
int main(void) {
  char a[4], b[4] = "abc";
  int *p = __builtin_malloc(2 * sizeof *p), *q = __builtin_assume_aligned(p, 4);
  __builtin_memcpy(a, b, 4);
  __builtin_prefetch(p, 1);
  q[1] = __builtin_abs(-3);
  assert(a[1] == 'b' && p[1] == 3 && __builtin_strlen(b) == 3 && __builtin_strcmp(a, "abc") == 0);
  __builtin_memset(a, 0, sizeof a);
  if (a[0] || __builtin_expect_with_probability(p[1] != 3, 0, 0.9)) __builtin_trap();
  assert(a[2] == 0);
  __builtin_free(p);
  return 0;
}
