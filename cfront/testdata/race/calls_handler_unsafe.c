// expect: UNSAFE --check=race
// What main gave to atexit runs while the thread does.
#include <pthread.h>
#include <stdlib.h>
int x;
static void clear(void) { x = 0; }
static void at_end(void) { clear(); }
static void *set(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  atexit(at_end);
  pthread_create(&t, 0, set, 0);
  pthread_detach(t);
  return 0;
}
