// expect: SAFE
#include <threads.h>
int main(void) {
  tss_t k;
  tss_create(&k, 0);
  return 0;
}
