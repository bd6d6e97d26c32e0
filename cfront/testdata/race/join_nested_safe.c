// expect: SAFE --check=race
// A thread joins the thread that it created itself, so main's join orders both.
#include <pthread.h>
pthread_t inner;
int x;
void *g(void *arg) {
  x = 1;
  return 0;
}
void *f(void *arg) {
  pthread_create(&inner, 0, g, 0);
  pthread_join(inner, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  int r = x;
  return r == 2;
}
