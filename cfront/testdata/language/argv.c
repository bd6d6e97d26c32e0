// expect: UNSAFE
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
int limit = 2;
int main(int argc, char **argv) {
  long n = 0;
  if (argc == 2) {
    sscanf(argv[1], "%d", &limit);
    n = atoi(argv[2]);
    n = strtol(*++argv, NULL, 10);
  }
  assert(argc == 2 || n == 0 && limit == 2);
  assert(n != 5 || limit != 5);
  return 0;
}
