// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int x;
void pong(int n);
void ping(int n) { x++; if (n > 0) pong(n - 1); }
void pong(int n) { x--; if (n > 0) ping(n - 1); }
void *f(void *a) { ping(3); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
