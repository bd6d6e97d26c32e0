// expect: UNSAFE --check=race
// A thread is joined after another one was created.
#include <pthread.h>
int x, y;
void *f(void *arg) {
  x++;
  return 0;
}
void *g(void *arg) {
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&v, 0, g, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
  return x == 1;
}
