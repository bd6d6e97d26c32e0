// expect: UNSAFE --check=leak
/* A static variable of a function reaches the object. */
#include <stdlib.h>
static int next(void) {
 int *cache = 0;
  if (!cache) {
    cache = malloc(sizeof *cache);
    *cache = 0;
  }
  return ++*cache;
}
int main(void) {
  return next() - 1;
}
