// expect: SAFE --check=race
// main reads the result after it has joined the thread.
#include <pthread.h>
int x, r;
void *f(void *arg) {
  x = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  r = x;
  return r == 6;
}
