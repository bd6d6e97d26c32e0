// expect: error 5:3: unsupported: atomic_fetch_add of a pointer, which counts elements in C and bytes with gcc
#include <stdatomic.h>
int a[4], *_Atomic p = a;
int main(void) {
  atomic_fetch_add(&p, 1);
  return 0;
}
