// expect: UNSAFE
/* Memory has as many bytes as were asked for, an input; in the unsafe one it has the most that may be asked for. */
#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  char *p = malloc(n);
  assert(malloc_usable_size(p) >= 255);
  free(p);
  return 0;
}
