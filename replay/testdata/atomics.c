// expect: UNSAFE
// Atomic variables, builtins and functions, each one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x;
_Atomic int c;
atomic_int d = 1;

int __VERIFIER_atomic_take(int n) { x += n; return x; }

void *other(void *arg) {
    c++;
    c += 2;
    atomic_fetch_sub(&d, 1);
    int expected = 0;
    atomic_compare_exchange_strong(&d, &expected, 7);
    __sync_fetch_and_add(&x, 3);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    c--;
    int seen = __VERIFIER_atomic_take(2);
    pthread_join(t, 0);
    assert(c != 2 || d != 7 || seen != 5);
    return 0;
}
