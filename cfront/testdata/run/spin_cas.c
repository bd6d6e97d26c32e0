// expect: SAFE
#include <pthread.h>
#include <assert.h>
int l, x;
void *f(void *a) { while (!__sync_bool_compare_and_swap(&l, 0, 1)); x++; assert(x == 1); x--; __sync_lock_release(&l); return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0; }
