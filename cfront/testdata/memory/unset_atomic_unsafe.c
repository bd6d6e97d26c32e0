// expect: UNSAFE --check=memory
/* An atomic counter begins with a value, or without. */
#include <stdatomic.h>
#include <stdlib.h>
int main(void) {
  atomic_int n;
  if (atomic_fetch_add(&n, 1) > 5)
    abort();
  return 0;
}
