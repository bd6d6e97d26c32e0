// expect: SAFE --check=race
// fwrite reads as many bytes as it is told.
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
  fwrite(buffer, 2, 2, stdout);
  pthread_join(t, 0);
  return 0;
}
