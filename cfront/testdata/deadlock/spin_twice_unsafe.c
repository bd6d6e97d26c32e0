// expect: UNSAFE --check=deadlock
// A spin lock is taken by the thread that holds it.
#include <pthread.h>
pthread_spinlock_t l;
void *f(void *arg) {
  pthread_spin_lock(&l);
  pthread_spin_lock(&l);
  pthread_spin_unlock(&l);
  pthread_spin_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
