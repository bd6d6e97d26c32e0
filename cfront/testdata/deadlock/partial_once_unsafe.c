// expect: UNSAFE --check=deadlock
// A thread calls pthread_once with the lock that the function waits for; main runs for ever.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
void init(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}
void *f(void *arg) {
  pthread_once(&o, init);
  return 0;
}
void *g(void *arg) {
  pthread_mutex_lock(&m);
  pthread_once(&o, init);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  for (;;)
    sched_yield();
}
