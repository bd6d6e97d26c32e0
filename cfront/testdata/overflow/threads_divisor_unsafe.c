// expect: UNSAFE --check=overflow
/* The divisor is zero while another thread changes it, unless that is done under the lock. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int size = 4;
static void *resize(void *arg) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 2; i++) {
    size = 0;
    sched_yield();
    size = 8;
  }
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, resize, 0);
  int r = 16 % size;
  pthread_join(t, 0);
  return r;
}
