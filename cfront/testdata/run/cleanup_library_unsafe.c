// expect: UNSAFE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done, x;

void *f(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
  x = 1;
  if (arg)
    pthread_exit(NULL);
  x = 0;
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, &x);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  pthread_mutex_lock(&m);
  assert(x == 0);
  return 0;
}
