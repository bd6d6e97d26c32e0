// expect: SAFE
#include <pthread.h>
#include <assert.h>
int s[1], c;
void *set(void *p) { c = 1; c = 0; s[0] = 1; return 0; }
int main(void) {
  pthread_t t; int *p = s;
  pthread_create(&t, 0, set, 0);
  int v = p[0] ? c : 0;
  assert(v == 0);
  return 0;
}
