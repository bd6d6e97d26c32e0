// expect: error 7:3: unsupported: pthread_exit in main, which calls atexit
#include <pthread.h>
#include <stdlib.h>
void h(void) {}
int main(void) {
  if (atexit(h) == 0)
  pthread_exit(0);
}
