// expect: UNSAFE --check=memory
/* memset is given a number of bytes that may be too large. */
#include <string.h>
static int clear(size_t n) {
  char buf[8];
  memset(buf, 0, n);
  return n > 0 ? buf[0] : 0;
}
int main(int argc, char **argv) {
  (void)argv;
  return clear(argc == 1 ? 9 : 8);
}
