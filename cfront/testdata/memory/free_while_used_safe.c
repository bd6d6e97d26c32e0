// expect: SAFE --check=memory
/* One thread frees what another one uses. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  if (p)
    *p = 2;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&t, 0, reader, 0);
  pthread_mutex_lock(&m);
  free(p);
 p = 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
