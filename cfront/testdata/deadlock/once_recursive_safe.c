// expect: SAFE --check=deadlock
// An initialisation calls pthread_once for another object.
#include <pthread.h>
pthread_once_t o = PTHREAD_ONCE_INIT, p = PTHREAD_ONCE_INIT;
int x;
void inner(void) { x++; }
void init(void) {
  pthread_once(&p, inner);
  x++;
}
void *f(void *arg) {
  pthread_once(&o, init);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  pthread_once(&p, inner);
  return 0;
}
