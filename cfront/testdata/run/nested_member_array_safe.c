// expect: SAFE
#include <pthread.h>
#include <assert.h>
struct { struct { int v[2]; } in[2]; } s;
void put(int *p) { p[1] = 3; }
void *f(void *p) { put(s.in[1].v); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(s.in[1].v[1] == 3 && s.in[0].v[1] == 0);
  return 0;
}
