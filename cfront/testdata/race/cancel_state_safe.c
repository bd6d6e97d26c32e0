// expect: SAFE --check=race
// What pthread_setcancelstate stores is memory of the program's.
#include <pthread.h>
int shared;
void *f(void *arg) {
  int own;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &own);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return shared;
}
