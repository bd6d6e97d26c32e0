// expect: SAFE
#include <pthread.h>
#include <assert.h>
int x;
void *inc(void *a) { __sync_fetch_and_add(&x, 1); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, inc, NULL);
  pthread_create(&b, NULL, inc, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2);
  return 0;
}
