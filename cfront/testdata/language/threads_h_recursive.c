// expect: SAFE
#include <threads.h>
int main(void) {
  mtx_t m;
  mtx_init(&m, mtx_recursive);
  return 0;
}
