// expect: error 5:22: unsupported: exit in another thread than main, which calls atexit
#include <pthread.h>
#include <stdlib.h>
void h(void) {}
void *f(void *arg) { exit(1); }
int main(void) {
  pthread_t t;
  atexit(h);
  pthread_create(&t, 0, f, 0);
  return 0;
}
