// expect: SAFE --check=overflow
/* Two threads count up to the last int, or beyond. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count = 2147483645;
static void *thread(void *arg) {
  pthread_mutex_lock(&m);
  count += *(int *)arg;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
 int one = 1;
  pthread_create(&t, 0, thread, &one);
  thread(&one);
  pthread_join(t, 0);
  return 0;
}
