// expect: SAFE
#include <pthread.h>
#include <assert.h>
int v[2][2];
void *f(void *p) { __sync_fetch_and_add(v[1], 1); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  assert(v[1][0] == 2);
  return 0;
}
