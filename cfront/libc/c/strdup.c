/* <string.h>: copies on the heap. */
#include "libc.h"

char *strdup(const char *s) { return strndup(s, SIZE_MAX); }

char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *p = malloc(n + 1);
  if (!p)
    return 0;
  memcpy(p, s, n);
  p[n] = 0;
  return p;
}
