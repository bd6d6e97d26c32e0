// expect: UNSAFE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy, stop;

void unlock(void *p) {
  busy = 0;
  pthread_mutex_unlock(p);
}

void none(void *p) {}

void leave(void) {
  if (stop)
    pthread_exit(NULL);
}

void *f(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(none, &m);
    busy = 1;
    leave();
    pthread_cleanup_pop(0);
    unlock(&m);
  }
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_mutex_lock(&m);
  assert(!busy);
  stop = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  assert(!busy);
  return 0;
}
