// expect: error 5:3: unsupported: recursive or error-checking mutex
#include <threads.h>
int main(void) {
  mtx_t m;
  mtx_init(&m, mtx_recursive);
  return 0;
}
