// expect: UNSAFE --check=locks
/* A mutex is initialised by each thread, while another one may hold it. */
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *arg) {
 pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  sched_yield();
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  thread(0);
  pthread_join(t, 0);
  return 0;
}
