// expect: SAFE --check=memory
/* The source of a copy is shorter than what is copied. */
#include <string.h>
struct small { int a; };
struct large { int a, b; };
static void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
int main(void) {
  struct small s = {1};
  struct large l = {2, 3};
 copy(&l, &s, sizeof s);
  return l.a - 1;
}
