// expect: SAFE --check=race
// snprintf writes no more bytes than it is told.
#include <pthread.h>
#include <stdio.h>
char to[8];
void *f(void *arg) {
  to[4] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  snprintf(to, 4, "%d", 12345);
  pthread_join(t, 0);
  return 0;
}
