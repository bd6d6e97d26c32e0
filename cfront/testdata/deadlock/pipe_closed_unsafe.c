// expect: UNSAFE --check=deadlock
// A pipe ends for who reads it where its other end is closed: here only when the reader is done.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
  char c[4];
  while (read(ends[0], c, sizeof c) > 0)
    ;
  return arg;
}

int main(void) {
  pthread_t t;
  if (pipe(ends) != 0 || pthread_create(&t, NULL, reader, NULL) != 0)
    return 1;
  if (write(ends[1], "abc", 3) != 3)
    _exit(1);
  pthread_join(t, NULL);
  close(ends[1]);
  return 0;
}
