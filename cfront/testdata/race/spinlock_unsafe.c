// expect: UNSAFE --check=race
// A counter is incremented after the spin lock was released.
#include <pthread.h>
pthread_spinlock_t l;
int x;
void *f(void *arg) {
  pthread_spin_lock(&l);
  pthread_spin_unlock(&l);
  x++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  pthread_spin_destroy(&l);
  return 0;
}
