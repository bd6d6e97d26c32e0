// expect: UNSAFE --check=race
// A thread ends without joining the thread that it created itself, which main joins too late.
#include <pthread.h>
pthread_t inner;
int x;
void *g(void *arg) {
  x = 1;
  return 0;
}
void *f(void *arg) {
  pthread_create(&inner, 0, g, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  int r = x;
  pthread_join(inner, 0);
  return r == 2;
}
