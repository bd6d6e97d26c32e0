// expect: SAFE --check=leak
/* One way out of a function forgets the buffer. */
#include <stdlib.h>
#include <string.h>
static int check(int n) {
  char *buf = malloc(8);
  memset(buf, n, 8);
  if (buf[3] > 4) {
   free(buf);
    return -1;
  }
  free(buf);
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  check(argc);
  return check(9) == 0;
}
