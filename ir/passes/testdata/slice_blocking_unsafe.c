// expect: UNSAFE
//
// The same, but somebody sets y. That thread must not be sliced away.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x, y;

void *writer(void *arg) {
    __VERIFIER_assume(y != 0);
    x = 1;
    return 0;
}

void *helper(void *arg) {
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, helper, 0);
    assert(x == 0);
    return 0;
}
