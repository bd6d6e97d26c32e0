// expect: error 12:3: unsupported: bit-field beside another one in the variable 'x', which threads share
#include <pthread.h>
#include <assert.h>
struct { int a : 2, b : 2; } x;
void *f(void *arg) {
  x.a = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x.b = 1;
  return 0;
}
