// expect: UNSAFE --check=race
// strlen reads a buffer while another thread writes a byte before its zero byte.
#include <pthread.h>
#include <string.h>
char buf[8] = "abc";
void *f(void *arg) {
  buf[2] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  size_t n = strlen(buf);
  pthread_join(t, 0);
  return n == 0;
}
