// expect: UNSAFE --check=race
// A static variable is there once for all threads.
#include <pthread.h>
static int x;
void *f(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
