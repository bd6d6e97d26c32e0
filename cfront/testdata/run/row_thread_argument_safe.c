// expect: SAFE
#include <pthread.h>
#include <assert.h>
int v[2][2]; struct { int a[2]; } s;
void *f(void *p) { *(int *)p = 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, v[1]); pthread_create(&u, 0, f, s.a);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(v[1][0] == 1 && s.a[0] == 1);
  return 0;
}
