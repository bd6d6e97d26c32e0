// expect: UNSAFE --check=memory
/* An index that is not known, of a pointer to the elements. */
#include <stdio.h>
static int at(const int *p, int i) { return p[i]; }
int main(int argc, char **argv) {
  (void)argv;
  int a[4] = {1, 2, 3, 4};
  int n = argc > 4 ? 5 : argc;
 return at(a, n < 1 ? 3 : n - 1) == 7;
}
