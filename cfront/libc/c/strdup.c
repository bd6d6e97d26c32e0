/* <string.h>: copies on the heap. All that is written here is what was allocated here (scan takes that for granted). */
#include "libc.h"

char *strdup(const char *s) { return strndup(s, SIZE_MAX); }

char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *p = malloc(n + 1);
  if (!p)
    return 0;
  __comus_copy(p, s, n, 0);
  p[n] = 0;
  return p;
}
