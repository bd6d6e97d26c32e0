// expect: UNSAFE --check=race
// main itself writes what the only other thread writes.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return y == 3;
}
