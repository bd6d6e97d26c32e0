// expect: SAFE --check=race
// A variable tells whether pthread_mutex_trylock has got the lock.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
  int mine = 0;
  int error = pthread_mutex_trylock(&m);
  if (error == 0)
    mine = 1;
  if (mine)
    x++;
  if (!error)
    pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
