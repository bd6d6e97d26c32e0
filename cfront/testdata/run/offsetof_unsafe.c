// expect: UNSAFE
#include <stddef.h>
#include <assert.h>

struct s { char c; struct { short h; int i[2]; } in; long d; };
int main(void) {
  assert(offsetof(struct s, in) == 4);
  assert(offsetof(struct s, d) == 12);
  return 0;
}
