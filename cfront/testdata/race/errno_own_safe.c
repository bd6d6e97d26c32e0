// expect: SAFE --check=race
// errno is there once for each thread.
#include <pthread.h>
#include <errno.h>
int error;
void *f(void *arg) {
  errno = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  errno = 2;
  pthread_join(t, 0);
  return error == 3;
}
