// expect: SAFE
// A printf into memory writes no more than it has room for, and its format says how much that may be.
#include <assert.h>
#include <stdio.h>
static struct {
  char line[4];
  int used;
} l;
int main(void) {
  char b[16];
  l.used = 3;
  int n = snprintf(l.line, sizeof l.line, "%d", l.used);
  assert(l.used == 3);
  assert(n >= 1 && n <= 14);
  assert(sprintf(b, "fixed %%") == 7);
}
