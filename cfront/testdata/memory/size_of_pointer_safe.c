// expect: SAFE --check=memory
/* The size is that of the pointer. */
#include <stdlib.h>
#include <string.h>
struct record { long a, b, c; };
static void *make(size_t n) { return malloc(n); }
int main(void) {
 struct record *r = make(sizeof *r);
  memset(r, 0, sizeof *r);
  int v = (int)r->c;
  free(r);
  return v;
}
