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
struct lock { atomic_bool held; };
static struct { struct lock l; int n; } a, b;
static void lock_a(struct lock *l) { while (atomic_exchange_explicit(&l->held, 1, memory_order_acquire)) ; }
static void unlock_a(struct lock *l) { atomic_store_explicit(&l->held, 0, memory_order_release); }
static void lock_b(struct lock *l) {
  _Bool e = 0;
  while (!atomic_compare_exchange_weak_explicit(&l->held, &e, 1, memory_order_acquire, memory_order_relaxed)) e = 0;
}
static void unlock_b(struct lock *l) { atomic_store_explicit(&l->held, 0, memory_order_release); }
static void *thread(void *p) {
  for (int i = 0; i < 5; i++) {
    lock_a(&a.l);
    a.n++;
    unlock_a(&a.l);
    lock_b(&b.l);
    b.n++;
    unlock_b(&b.l);
  }
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, thread, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
