// expect: UNSAFE
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair { int a; unsigned short b, c; } x, y;
int done[3];

void *f(void *arg) {
  memset(done, -1, sizeof done);
  memset(&x, 0x12, sizeof x);
  return 0;
}

int main(void) {
  pthread_t t;
  memset(&y, 0x12, sizeof y);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(done[0] == -1 && done[2] == -1);
  assert(x.a == 0x12121212 && x.c == 0x1212);
  assert(memcmp(&x, &y, sizeof x) == 0);
  y.b = 0x1301;
  assert(memcmp(&x, &y, sizeof x) < 0);
  return 0;
}
