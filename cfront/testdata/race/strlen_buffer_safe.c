// expect: SAFE --check=race
// strlen reads a buffer up to the zero byte, behind which another thread writes.
#include <pthread.h>
#include <string.h>
char buf[8] = "abc";
void *f(void *arg) {
  buf[4] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  size_t n = strlen(buf);
  pthread_join(t, 0);
  return n == 0;
}
