// expect: SAFE
//
// Whoever sees that the helper has started its atomic section sees it ended, or
// takes no step at all. The assumption blocks everybody, though it is about a
// variable of no further use.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int y, started;

void *helper(void *arg) {
    __VERIFIER_atomic_begin();
    started = 1;
    __VERIFIER_assume(y == 1);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, helper, 0);
    assert(started == 0);
    y = 1;
    return 0;
}
