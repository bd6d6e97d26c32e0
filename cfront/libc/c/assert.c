/* What assert expands to when it fails: an error. */
#include "libc.h"

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text, (void)file, (void)line, (void)function;
  __comus_assert(0, "assert");
  __comus_trap();
}

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
  (void)error, (void)file, (void)line, (void)function;
  __comus_assert(0, "assert_perror");
  __comus_trap();
}

void __assert(const char *text, const char *file, int line) {
  (void)text, (void)file, (void)line;
  __comus_assert(0, "assert");
  __comus_trap();
}
