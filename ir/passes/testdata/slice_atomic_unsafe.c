// expect: UNSAFE
//
// The same without the atomic section: the assertion sees the helper blocked.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int y, started;

void *helper(void *arg) {
    started = 1;
    __VERIFIER_assume(y == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, helper, 0);
    assert(started == 0);
    y = 1;
    return 0;
}
