// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int closed;

void last(void) {
  assert(closed);
}

void close_it(void) {
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_mutex_unlock(&m);
}

void *f(void *arg) {
  pthread_mutex_lock(&m);
  if (closed)
    pthread_exit(NULL);
  assert(!closed);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t;
  atexit(last);
  atexit(close_it);
  pthread_create(&t, NULL, f, NULL);
  if (argc > 3)
    exit(0);
  if (argc > 2)
    _exit(0);
  return 0;
}
