// expect: UNSAFE
#include <assert.h>

struct s { int a, b[2], c; };
int sum(struct s x) { return x.a + x.b[0] + 10 * x.b[1] + 100 * x.c; }
int last(int k) { return (struct s){.c = k}.c; }
int main(void) {
  struct s x = {1, {2, 3}, 4};
  int t = 0;
  for (int i = 0; i < 3; i++) {
    int *p = (int[]){i, i + 1, 7};
    p[0]++;
    t += p[0] * p[2];
    x = (struct s){.b = {i, x.a}, .a = x.c};
  }
  assert(t == 42);
  assert(x.a == 0 && x.b[0] == 2 && x.b[1] == 0 && x.c == 0);
  assert(sum((struct s){1, .c = 2, .b[1] = 3}) == 232);
  assert(last(4) - last(1) == 3);
  assert(*&(int){5} == 5);
  return 0;
}
