// expect: SAFE --check=race
// The memory that the child of fork has is a copy, of what a thread that is created then has not changed.
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
  pid_t child = fork();
  if (pthread_create(&t, NULL, counter, NULL) != 0)
    return 1;
  pthread_join(t, NULL);
  if (child == 0)
    _exit(count);
  return 0;
}
