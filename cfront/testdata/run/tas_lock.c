// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_flag l = ATOMIC_FLAG_INIT; int x;
void *f(void *a) { while (atomic_flag_test_and_set(&l)); x++; assert(x == 1); x--; atomic_flag_clear(&l); return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0; }
