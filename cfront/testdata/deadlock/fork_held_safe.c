// expect: SAFE --check=deadlock
// The child of fork has the locks as they were, and only the thread that forks: here fork waits until the log is free.
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t log_mu = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void write_line(void) {
  pthread_mutex_lock(&log_mu);
  lines++;
  pthread_mutex_unlock(&log_mu);
}

static void *reporter(void *arg) {
  write_line();
  return arg;
}

static void hold(void) { pthread_mutex_lock(&log_mu); }
static void leave(void) { pthread_mutex_unlock(&log_mu); }

int main(void) {
  pthread_t t;
  pthread_atfork(hold, leave, leave);
  if (pthread_create(&t, NULL, reporter, NULL) != 0)
    return 1;
  pid_t child = fork();
  if (child == 0) {
    write_line();
    _exit(0);
  }
  pthread_join(t, NULL);
  return 0;
}
