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
static atomic_flag l = ATOMIC_FLAG_INIT, k = ATOMIC_FLAG_INIT;
static int n, m;
static void *thread(void *p) {
  for (int i = 0; i < 5; i++) {
    while (atomic_flag_test_and_set_explicit(&l, memory_order_acquire)) ;
    n++;
    atomic_flag_clear_explicit(&l, memory_order_release);
    while (atomic_flag_test_and_set_explicit(&k, memory_order_acquire)) ;
    m++;
    atomic_flag_clear_explicit(&k, memory_order_release);
  }
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, thread, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
