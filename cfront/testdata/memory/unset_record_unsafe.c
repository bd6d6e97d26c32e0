// expect: UNSAFE --check=memory
/* A record with bytes between its members is written to a file: these need no value. */
#include <stdio.h>
struct record { char kind; int n; };
int main(void) {
  struct record r;
  r.kind = 1;
  fwrite(&r, sizeof r, 1, stdout);
  return 0;
}
