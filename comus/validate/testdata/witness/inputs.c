// expect: UNSAFE
// Two inputs decide: one by a call, one in a thread.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;

void *writer(void *arg) {
    x = __VERIFIER_nondet_int();
    return arg;
}

int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    if (n > 41 && x == 1234567)
        assert(n + x == 0);
    return 0;
}
