// expect: SAFE --check=race
// The object that localtime returns is read where the lock is held.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
  time_t now = 1000000;
  pthread_mutex_lock(&m);
  struct tm *p = localtime(&now);
  int y = p ? p->tm_year : 0;
  pthread_mutex_unlock(&m);
  return y == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
