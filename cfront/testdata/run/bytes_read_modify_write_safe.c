// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static union { /* members that overlap in part: all is bytes */
  unsigned n;
  atomic_uint a;
  struct __attribute__((packed)) {
    short low;
    unsigned middle;
  } s;
  unsigned char b[8];
} u, w;

static void *f(void *arg) {
  __VERIFIER_atomic_begin();
  w.n = w.n - 1; /* each byte is computed from what all were */
  __VERIFIER_atomic_end();
  atomic_fetch_sub(&w.a, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  int i = __VERIFIER_nondet_int() & 3;
  u.s.middle = w.s.middle = 0;
  u.n = w.n = 0;
  u.b[i] = w.b[i] = 1;
  u.n = u.n - 1;
  assert(u.n == (1u << 8 * i) - 1);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(w.n == (1u << 8 * i) - 2);
  return 0;
}
