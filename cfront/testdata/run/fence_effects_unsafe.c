// expect: UNSAFE
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  int x = 0;
  atomic_thread_fence((x++, 5));
  assert(x == 0);
  return 0;
}
