// robust: c11 tso pso
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
static atomic_int n, bytes;
static int total;
static void *thread(void *p) {
  for (int i = 0; i < 10; i++)
    if (ADD(n, 1, relaxed) < 5) ADD(bytes, i, relaxed);
    else if (ADD(bytes, 1, relaxed) > 3) return 0;
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, thread, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  total = LD(n, relaxed) + LD(bytes, relaxed);
  return 0;
}
