// expect: UNSAFE --check=memory
/* A member tells under a lock whether the other one has a value. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { int known, value; } *shared;
static void *user(void *arg) {
  pthread_mutex_lock(&m);
  if (shared->value > 5)
    abort();
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  shared->known = 0;
  pthread_create(&t, 0, user, 0);
  pthread_mutex_lock(&m);
  shared->value = 1;
  shared->known = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
