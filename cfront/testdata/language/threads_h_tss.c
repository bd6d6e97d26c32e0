// expect: error 5:3: unsupported: pthread_key_create
#include <threads.h>
int main(void) {
  tss_t k;
  tss_create(&k, 0);
  return 0;
}
