// expect: error 6:3: unsupported: return out of a block between pthread_cleanup_push and pthread_cleanup_pop
#include <pthread.h>
void h(void *p) {}
void *f(void *arg) {
  pthread_cleanup_push(h, arg);
  return 0;
  pthread_cleanup_pop(0);
}

int main(void) {
  f(0);
  return 0;
}
