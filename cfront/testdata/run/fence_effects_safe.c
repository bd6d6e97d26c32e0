// expect: SAFE
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  int x = 0;
  atomic_thread_fence((x++, 5));
  assert(x == 1);
  return 0;
}
