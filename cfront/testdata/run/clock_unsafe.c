// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
#include <time.h>
struct timespec now; int done; pthread_mutex_t m;
void *thread(void *p) { pthread_mutex_lock(&m); clock_gettime(CLOCK_REALTIME, &now); done = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, thread, 0);
  pthread_mutex_lock(&m);
  assert(done || now.tv_sec == 0);
  assert(now.tv_nsec < 5L);
  pthread_mutex_unlock(&m);
}
