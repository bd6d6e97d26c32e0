// expect: SAFE --check=race
// main itself keeps away from what the thread writes.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 2;
  pthread_join(t, 0);
  return y == 3;
}
