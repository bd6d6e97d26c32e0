// expect: SAFE --check=race
// main joins the thread that writes before it reads.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  x = 1;
  return 0;
}
void *g(void *arg) {
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  int r = x;
  pthread_join(u, 0);
  return r + y == 3;
}
