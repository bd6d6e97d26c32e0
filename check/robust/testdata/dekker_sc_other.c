// robust: tso
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define ST(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define LD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
#define SUB(x, v, o) atomic_fetch_sub_explicit(&x, v, memory_order_##o)
#define XCHG(x, v, o) atomic_exchange_explicit(&x, v, memory_order_##o)
#define CAS(x, e, v, o, p) atomic_compare_exchange_strong_explicit(&x, &e, v, memory_order_##o, memory_order_##p)
#define FENCE(o) atomic_thread_fence(memory_order_##o)
static atomic_int x, y, z;
static int n;
static void *thread0(void *p) {
  for (int i = 0; i < 5; i++) {
    ST(x, 1, seq_cst);
    if (!LD(y, seq_cst)) if (LD(z, relaxed)) n++;
    ST(x, 0, release);
  }
  return p;
}
static void *thread1(void *p) {
  for (int i = 0; i < 5; i++) {
    ST(y, 1, seq_cst);
    if (!LD(x, seq_cst)) n++;
    ST(y, 0, release);
  }
  ST(z, 1, relaxed);
  return p;
}
int main(void) {
  pthread_t t[8];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
