// Condition variables, named semaphores, cancellation, signals.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full, seen, cleaned;
static sem_t *s;
static volatile sig_atomic_t signals;

static void *produce(void *p) {
  for (int i = 1; i < 4; i++) {
    pthread_mutex_lock(&m);
    while (full)
      pthread_cond_wait(&c, &m);
    full = i;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  }
  sem_post(s);
  return p;
}
static void clean(void *p) { cleaned = 1, pthread_mutex_unlock(p); }
static void *never(void *p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, &m);
  for (;;)
    pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return p;
}
static void handle(int n) { signals += n; }

int main(void) {
  pthread_t t, u;
  void *r;
  s = sem_open("/comus_waits", O_CREAT, 0600, 0);
  pthread_create(&t, 0, produce, 0);
  for (int i = 1; i < 4; i++) {
    pthread_mutex_lock(&m);
    while (!full)
      pthread_cond_wait(&c, &m);
    assert(full == i);
    seen++, full = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  sem_wait(s);
  int e = sem_trywait(s);
  assert(e == -1 && errno == EAGAIN && seen == 3);
  sem_unlink("/comus_waits");
  pthread_join(t, 0);
  pthread_create(&u, 0, never, 0);
  pthread_cancel(u);
  pthread_join(u, &r);
  assert(r == PTHREAD_CANCELED && (cleaned == 1 || cleaned == 0));
  assert(pthread_mutex_trylock(&m) == 0);
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  assert(signals >= SIGUSR1);
  return 0;
}
