// expect: SAFE --check=race
// A local variable of a function is there once for each call.
#include <pthread.h>
int next(void) {
  int n = 0;
  return ++n;
}
void *f(void *arg) {
  return next() == 9 ? arg : 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
