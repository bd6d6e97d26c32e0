// expect: UNSAFE --check=locks
/* A condition variable is destroyed while a thread waits for it, or has been woken. */
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;
static void *thread(void *arg) {
  pthread_mutex_lock(&m);
  waits = 1;
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, 0, thread, 0);
  while (!seen) {
    sched_yield();
    pthread_mutex_lock(&m);
    if (waits)
      seen = 1;
    pthread_mutex_unlock(&m);
  }
 pthread_cond_destroy(&c);
  return 0;
}
