// expect: UNSAFE
#include <assert.h>
#include <pthread.h>

// What the pointer points to is atomic, not the pointer.
_Atomic int a[4];
_Atomic int *p = a;

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
