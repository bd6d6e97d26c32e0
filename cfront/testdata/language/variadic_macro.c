// expect: SAFE
#include <assert.h>
#include <stdio.h>
#define LOG(text, args...) fprintf(stderr, text,##args)
#define SUM(a, ...) sum(a, ##__VA_ARGS__)
static int sum(int a, int b) { return a + b; }
int main(void) {
  LOG("sums\n");
  LOG("%d\n", 3);
  assert(SUM(1, -2) == -1);
#if 0
  This isn't read.
#endif
  return 0;
}
