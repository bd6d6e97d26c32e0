// expect: UNSAFE --check=memory
/* memcpy of a length that is not known, within one array. */
#include <string.h>
int main(int argc, char **argv) {
  int a[8] = {1, 2, 3, 4};
  (void)argv;
  if (argc < 1 || argc > 2)
    return 0;
  memcpy(a + 1, a, argc * sizeof a[0]);
  return a[0] == 5;
}
