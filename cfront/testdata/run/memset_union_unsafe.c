// expect: UNSAFE
// memset is called twice.
#include <pthread.h>
#include <string.h>
#include <assert.h>
union {
  int a;
  unsigned b;
} u = {7};
void *f(void *arg) {
  memset(&u, 0, sizeof u);
  memset(&u, 0, sizeof u);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (u.a == 0) {
    u.a = 5;
    assert(u.a == 5);
  }
  return 0;
}
