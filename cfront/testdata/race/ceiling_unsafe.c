// expect: UNSAFE --check=race
// What pthread_mutex_getprioceiling stores is memory of the program's.
#include <pthread.h>
pthread_mutex_t m;
int shared;
void *f(void *arg) {
  int own;
  pthread_mutex_getprioceiling(&m, &shared);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
