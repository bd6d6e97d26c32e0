// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
int a[2];
void *set(void *p) { a[0] = 1; a[0] = 0; a[1] = 1; return 0; }
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int main(void) {
  pthread_t t; int *p = a, v = 0;
  pthread_create(&t, 0, set, 0);
  __VERIFIER_atomic_begin(); v = a[0]; __VERIFIER_atomic_end(); assert(!(v && a[1]));
  return 0;
}
