// expect: SAFE
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
unsigned char x = 2;
void *f(void *p) { if (__VERIFIER_nondet_bool()) return (void *)(long)(x + 1); return (void *)(long)x; }
int main(void) {
  pthread_t t; void *r;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, &r);
  assert(r == (void *)3 || r == (void *)2);
  return 0;
}
