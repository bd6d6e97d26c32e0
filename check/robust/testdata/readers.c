// robust: none
// Readers that give a lock back order nothing for readers that come later, by POSIX.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static atomic_int x, y; static int a, b;
#define BY(f, mine, his, r) static void *f(void *u) { pthread_rwlock_rdlock(&l); atomic_store_explicit(&mine, 1, memory_order_relaxed); pthread_rwlock_unlock(&l); pthread_rwlock_rdlock(&l); r = atomic_load_explicit(&his, memory_order_relaxed); pthread_rwlock_unlock(&l); return u; }
BY(f, x, y, a) BY(g, y, x, b)
int main(void) { pthread_t t, v; pthread_create(&t, 0, f, 0); pthread_create(&v, 0, g, 0); pthread_join(t, 0); pthread_join(v, 0); assert(a || b); return 0; }
