// expect: SAFE
#include <pthread.h>
#include <assert.h>
int f(int c) {
  int r = 0;
  switch (c) { int y; case 1: y = 1; r = y; break; case 2: y = 1; r = y; break; }
  return r;
}
int main(void) {
  f(1);
  assert(f(2) == 1);
  return 0;
}
