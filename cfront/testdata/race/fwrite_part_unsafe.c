// expect: UNSAFE --check=race
// fwrite reads a byte that another thread writes.
#include <pthread.h>
#include <stdio.h>
char buffer[8];
void *f(void *arg) {
  buffer[4] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  fwrite(buffer, 1, 5, stdout);
  pthread_join(t, 0);
  return 0;
}
