// expect: UNSAFE --check=race
// What was written to a pipe has been written before it is read, but not what its writer does then.
#include <pthread.h>
#include <unistd.h>

static int ends[2], result;

static void *worker(void *arg) {
  if (write(ends[1], "r", 1) != 1)
    _exit(1);
  result = 7;
  return arg;
}

int main(void) {
  pthread_t t;
  char c;
  if (pipe(ends) != 0 || pthread_create(&t, NULL, worker, NULL) != 0)
    return 1;
  if (read(ends[0], &c, 1) == 1)
    result++;
  return pthread_join(t, NULL);
}
