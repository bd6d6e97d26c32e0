// expect: UNSAFE
#include <string.h>
#include <assert.h>

char a[8], b[8];

// The library's functions do not call it.
size_t strlen(const char *s) { return 5; }

int main(void) {
  strcpy(a, "ab");
  strcpy(b, a);
  assert(strlen(b) != 5);
  return 0;
}
