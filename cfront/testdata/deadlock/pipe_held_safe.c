// expect: SAFE --check=deadlock
// The lock is given back before what the other one writes is read.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t work_mu = PTHREAD_MUTEX_INITIALIZER;
static int done[2], work = 1;

static void *worker(void *arg) {
  pthread_mutex_lock(&work_mu);
  work--;
  pthread_mutex_unlock(&work_mu);
  if (write(done[1], "d", 1) != 1)
    _exit(1);
  return arg;
}

int main(void) {
  pthread_t t;
  char c;
  if (pipe(done) != 0 || pthread_create(&t, NULL, worker, NULL) != 0)
    return 1;
  pthread_mutex_lock(&work_mu);
  work++;
  pthread_mutex_unlock(&work_mu);
  if (read(done[0], &c, 1) != 1)
    _exit(1);
  pthread_join(t, NULL);
  return 0;
}
