// expect: UNSAFE
// Memory that is allocated at a multiple of a power of two is there, and what follows is reached.
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

struct line { long value; char rest[184]; };

static uintptr_t beyond(const void *p, uintptr_t n) { return (uintptr_t)p % n; }

int main(void) {
  struct line *a = aligned_alloc(256, sizeof *a);
  void *b = NULL;
  if (!a || posix_memalign(&b, 1024, 10) != 0)
    return 1;
  long *c = memalign(128, sizeof *c), *d = valloc(sizeof *d);
  char *e = pvalloc(1);
  assert(beyond(a, 256) == 0 && beyond(b, 1024) == 0 && beyond(c, 128) == 0);
  assert(beyond(d, 4096) == 0 && beyond(e, 4096) == 0);
  a->value = 1;
  *c = 2;
  *d = a->value + *c;
  assert(*d == 4);
  return 0;
}
