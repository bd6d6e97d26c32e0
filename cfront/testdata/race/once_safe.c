// expect: SAFE --check=race
// pthread_once initialises, and orders every caller after the initialisation.
#include <pthread.h>
pthread_once_t o = PTHREAD_ONCE_INIT;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done, table;
void init(void) {
  table = 7;
  done = 1;
}
void *f(void *arg) {
  pthread_once(&o, init);
  return table == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
