// expect: SAFE --check=race
// The address of a thread-local variable stays within its thread.
#include <pthread.h>
static __thread int x;
void *f(void *arg) {
  int *p = arg ? &x : 0;
  if (p)
    *p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &x);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
