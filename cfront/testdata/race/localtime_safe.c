// expect: SAFE --check=race
// localtime_r writes where the caller says.
#include <pthread.h>
#include <time.h>
void *f(void *arg) {
  time_t now = 1000000;
  struct tm own;
  struct tm *p = localtime_r(&now, &own);
  return p && p->tm_year == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
