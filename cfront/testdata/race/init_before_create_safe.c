// expect: SAFE --check=race
// main initialises before it creates the thread.
#include <pthread.h>
int x;
void *f(void *arg) {
  return x == 1 ? arg : 0;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
