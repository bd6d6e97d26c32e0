// expect: SAFE
#include <assert.h>
#include <pthread.h>

// The pointer is atomic, not what it points to.
int a[4];
int *_Atomic p = a;

void *f(void *arg) {
  p++;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(p == a + 2);
  return 0;
}
