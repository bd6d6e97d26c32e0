// expect: UNSAFE --check=race
// main writes after it has created the thread that reads.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  return x ? &x : 0;
}
void *g(void *arg) {
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t, v;
  pthread_create(&v, 0, g, 0);
  pthread_create(&t, 0, f, 0);
  x = 1;
  pthread_join(t, 0);
  pthread_join(v, 0);
  return 0;
}
