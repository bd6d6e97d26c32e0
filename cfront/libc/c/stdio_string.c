/* <stdio.h>: formatted output to strings, and sscanf. */
#include "libc.h"

int vsnprintf(char *to, size_t n, const char *fmt, va_list ap) { return __comus_format(to, n, fmt, ap); }

int vsprintf(char *to, const char *fmt, va_list ap) { return __comus_format(to, SIZE_MAX, fmt, ap); }

int snprintf(char *to, size_t n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __comus_format(to, n, fmt, ap);
  va_end(ap);
  return r;
}

int sprintf(char *to, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __comus_format(to, SIZE_MAX, fmt, ap);
  va_end(ap);
  return r;
}

int vasprintf(char **to, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = __comus_format(0, 0, fmt, again);
  va_end(again);
  char *p = n < 0 ? 0 : malloc((size_t)n + 1);
  if (!p)
    return -1;
  *to = p;
  return __comus_format(p, (size_t)n + 1, fmt, ap);
}

int asprintf(char **to, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = vasprintf(to, fmt, ap);
  va_end(ap);
  return r;
}

int vsscanf(const char *s, const char *fmt, va_list ap) { return __comus_scan(s, fmt, ap); }

int sscanf(const char *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __comus_scan(s, fmt, ap);
  va_end(ap);
  return r;
}
