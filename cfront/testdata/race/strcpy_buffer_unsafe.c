// expect: UNSAFE --check=race
// strcpy writes a string and its zero byte, which another thread reads.
#include <pthread.h>
#include <string.h>
char buf[8];
int r;
void *f(void *arg) {
  r = buf[3];
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  strcpy(buf, "abc");
  pthread_join(t, 0);
  return r;
}
