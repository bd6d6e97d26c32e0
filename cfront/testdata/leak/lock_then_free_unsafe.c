// expect: UNSAFE --check=leak
/* The object is freed under the lock, unless another thread was faster. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p, users = 2;
static void *release(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
 if (--users < 0)
    free(p);
  if (users == 0)
    p = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&t, 0, release, 0);
  release(0);
  pthread_join(t, 0);
  return 0;
}
