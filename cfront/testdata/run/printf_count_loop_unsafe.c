// expect: UNSAFE
#include <stdarg.h>
#include <stdio.h>
#include <assert.h>

long seen;

static void log_to(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vfprintf(stderr, format, ap);
  va_end(ap);
}

int main(void) {
  for (int i = 0; i < 2; i++)
    log_to("%s%-3ln\n", "a", &seen);
  assert(seen == 0);
  return 0;
}
