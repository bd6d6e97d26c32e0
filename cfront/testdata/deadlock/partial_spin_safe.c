// expect: SAFE --check=deadlock
// Two threads take two spin locks in the same order while main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_spinlock_t a, b;
void *f(void *arg) {
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
  return 0;
}
void *g(void *arg) {
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_spin_init(&a, 0);
  pthread_spin_init(&b, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}
