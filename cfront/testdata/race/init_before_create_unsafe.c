// expect: UNSAFE --check=race
// main initialises after it has created the thread.
#include <pthread.h>
int x;
void *f(void *arg) {
  return x == 1 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  pthread_join(t, 0);
  return 0;
}
