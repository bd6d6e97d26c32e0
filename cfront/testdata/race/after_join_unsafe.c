// expect: UNSAFE --check=race
// main reads the result before it joins the thread.
#include <pthread.h>
int x, r;
void *f(void *arg) {
  x = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  r = x;
  pthread_join(t, 0);
  return r == 6;
}
