// expect: UNSAFE --check=deadlock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void wait_until_ready(void) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}

static void *setter(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

static void *waiter(void *a) {
  wait_until_ready();
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, setter, 0);
  pthread_create(&u, 0, waiter, 0);
  wait_until_ready();
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
