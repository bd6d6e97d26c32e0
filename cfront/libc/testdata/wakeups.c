/* The condition variables of COMUS_WAKEUPS: waits that end with signals only. */
#include "host.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

extern __typeof__(pthread_create) model_pthread_create;
extern __typeof__(pthread_join) model_pthread_join;
extern __typeof__(pthread_mutex_lock) model_pthread_mutex_lock;
extern __typeof__(pthread_mutex_unlock) model_pthread_mutex_unlock;
extern __typeof__(pthread_cond_wait) model_pthread_cond_wait;
extern __typeof__(pthread_cond_timedwait) model_pthread_cond_timedwait;
extern __typeof__(pthread_cond_signal) model_pthread_cond_signal;
extern __typeof__(pthread_cond_broadcast) model_pthread_cond_broadcast;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static volatile int waiting, woken;

static void *wait(void *arg) {
  model_pthread_mutex_lock(&m);
  waiting++;
  model_pthread_cond_wait(&c, &m);
  woken++;
  model_pthread_mutex_unlock(&m);
  return arg;
}

static int is(const char *what, int got, int want) {
  if (got != want)
    printf("%s: %d, want %d\n", what, got, want);
  return got == want;
}

int main(void) {
  pthread_t t[5];
  struct timespec past = {1, 0};
  alarm(20);
  model_pthread_cond_signal(&c); /* is lost */
  for (int i = 0; i < 5; i++)
    model_pthread_create(&t[i], 0, wait, 0);
  while (waiting < 5)
    usleep(100);
  model_pthread_mutex_lock(&m); /* all have let it go: all wait */
  host_choose(1, (long long[]){1});
  int ok = is("timed wait", model_pthread_cond_timedwait(&c, &m, &past), 110);
  model_pthread_mutex_unlock(&m);
  usleep(20000);
  ok &= is("woken by nobody", woken, 0);
  host_choose(3, (long long[]){1, 1, 0});
  model_pthread_cond_signal(&c);
  usleep(20000);
  ok &= is("woken by one signal", woken, 1);
  model_pthread_cond_signal(&c);
  model_pthread_cond_signal(&c);
  usleep(20000);
  ok &= is("woken by three signals", woken, 3);
  model_pthread_cond_broadcast(&c);
  for (int i = 0; i < 5; i++)
    model_pthread_join(t[i], 0);
  return !(ok & is("woken by all", woken, 5));
}
