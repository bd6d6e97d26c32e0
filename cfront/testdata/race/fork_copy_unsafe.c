// expect: UNSAFE --check=race
// The memory that the child of fork has is a copy, which a thread of the parent may be changing.
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int count;

static void *counter(void *arg) {
  count++;
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, counter, NULL) != 0)
    return 1;
  pid_t child = fork();
  if (child == 0)
    _exit(count);
  pthread_join(t, NULL);
  return 0;
}
