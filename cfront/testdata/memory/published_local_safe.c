// expect: SAFE --check=memory
/* A local is published, and taken back before the function returns, or not. */
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *published;
static void *user(void *arg) {
  pthread_mutex_lock(&m);
  if (published)
    *published = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
static void offer(void) {
  int x = 0;
  pthread_mutex_lock(&m);
  published = &x;
  pthread_mutex_unlock(&m);
  sched_yield();
 pthread_mutex_lock(&m);
 published = 0;
 pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  offer();
  pthread_join(t, 0);
  return 0;
}
