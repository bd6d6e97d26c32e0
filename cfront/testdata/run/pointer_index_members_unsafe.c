// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
struct s { int a, b; } s[1];
void *set(void *p) { s[0].a = 1; s[0].a = 0; s[0].b = 1; return 0; }
int main(void) {
  pthread_t t; struct s *p = s;
  pthread_create(&t, 0, set, 0);
  assert(!(p[0].a && p[0].b));
  return 0;
}
