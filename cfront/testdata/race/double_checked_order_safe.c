// expect: SAFE --check=race
// Double-checked initialisation sets the flag after the data.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int done;
int table;
void *f(void *arg) {
  if (!done) {
    pthread_mutex_lock(&m);
    if (!done) {
      table = 7;
      done = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return table == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
