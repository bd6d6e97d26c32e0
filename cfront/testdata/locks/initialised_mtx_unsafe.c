// expect: UNSAFE --check=locks
// A mutex of C11 is a local of a function that is called twice; in the unsafe one it is static, and never destroyed.
#include <threads.h>
static void once(void) {
  static mtx_t m;
  mtx_init(&m, mtx_plain);
  mtx_lock(&m);
  mtx_unlock(&m);
}
int main(void) {
  once();
  once();
  return 0;
}
