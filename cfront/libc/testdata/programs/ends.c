// What is called when a thread ends, and when the program does: here, as the last thread has.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_key_t k, l;
static int calls, handlers, ended;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *p) {
  assert(handlers == 3);
  if (++calls < 3)
    pthread_setspecific(k, p);
  else
    assert(pthread_getspecific(l) == 0);
}
static void handler(void *p) { handlers += (int)(long)p; }
static void *thread(void *p) {
  pthread_setspecific(k, &calls);
  pthread_setspecific(l, &calls);
  pthread_cleanup_push(handler, (void *)1);
  pthread_cleanup_push(handler, (void *)10);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(handler, (void *)2);
  pthread_exit(p);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
static void *later(void *p) {
  pthread_mutex_lock(&m);
  ended++;
  pthread_mutex_unlock(&m);
  return p;
}
static void last(void) {
  assert(ended == 2 && calls == 3);
  _exit(7);
}

int main(void) {
  pthread_t t;
  pthread_key_create(&k, destroy);
  pthread_key_create(&l, 0);
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(calls == 3 && handlers == 3);
  atexit(last);
  pthread_create(&t, 0, later, 0);
  pthread_create(&t, 0, later, 0);
  pthread_exit(0);
}
