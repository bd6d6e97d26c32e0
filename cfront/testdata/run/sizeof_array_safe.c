// expect: SAFE
#include <pthread.h>
#include <assert.h>
int v[2] = {1, 2}, w[sizeof v / sizeof v[0]];
void *f(void *p) { for (unsigned i = 0; i < sizeof(v) / sizeof(*v); i++) w[i] = v[i]; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(w[0] == 1 && w[1] == 2);
  return 0;
}
