// expect: UNSAFE --check=race
// A thread detaches the one that it has created, and main joins that thread.
#include <pthread.h>
int x;
void *g(void *arg) {
  x = 1;
  return 0;
}
void *f(void *arg) {
  pthread_t inner;
  pthread_create(&inner, 0, g, 0);
  pthread_detach(inner);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return x == 2;
}
