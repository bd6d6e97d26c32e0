// expect: UNSAFE --check=race
// sprintf writes a character that another thread writes, too.
#include <pthread.h>
#include <stdio.h>
char to[16];
void *f(void *arg) {
  to[4] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  sprintf(to, "abcd%d", 1);
  pthread_join(t, 0);
  return 0;
}
