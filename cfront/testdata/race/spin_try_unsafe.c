// expect: UNSAFE --check=race
// The data is touched only if pthread_spin_trylock has not got the lock.
#include <pthread.h>
pthread_spinlock_t l;
int x;
void *f(void *arg) {
  int error = pthread_spin_trylock(&l);
  if (error != 0)
    x++;
  if (error == 0)
    pthread_spin_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&l, 0);
  pthread_create(&t, 0, f, 0);
  pthread_spin_lock(&l);
  x++;
  pthread_spin_unlock(&l);
  pthread_join(t, 0);
  return 0;
}
