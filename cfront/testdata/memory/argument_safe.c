// expect: SAFE --check=memory
/* An argument is read that may not be given. */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  int a[4] = {0};
  return n >= 0 && n < 4 ? a[n] : 0;
}
