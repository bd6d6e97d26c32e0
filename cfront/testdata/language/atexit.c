// expect: SAFE
#include <stdlib.h>
#include <assert.h>
int n;
void first(void) { assert(n++ == 0); }
void second(void) { assert(n == 1); }
int main(void) {
  atexit(second);
  atexit(first);
  exit(0);
}
