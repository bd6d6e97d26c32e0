// expect: UNSAFE --check=race
// A program's own error number is there once for all threads.
#include <pthread.h>
#include <errno.h>
int error;
void *f(void *arg) {
  error = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  error = 2;
  pthread_join(t, 0);
  return error == 3;
}
