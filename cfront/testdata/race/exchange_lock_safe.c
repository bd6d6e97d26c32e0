// expect: SAFE --check=race
// A lock is taken by an atomic exchange.
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
int x;
void *f(void *arg) {
  int taken = atomic_exchange(&lock, 1);
  if (!taken) {
    x++;
    atomic_store(&lock, 0);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
