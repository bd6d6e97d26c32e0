// expect: UNSAFE --check=race
// strerror need not avoid data races with other calls of it (C11 7.24.6.2).
#include <pthread.h>
#include <string.h>
void *f(void *arg) {
  char *s = strerror(2);
  return s ? 0 : arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
