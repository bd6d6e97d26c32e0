// expect: SAFE
//
// The writer's assumption is about a variable that nobody else uses, but it blocks
// the writer before it can set x. Dropping it would be a false alarm.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x, y;

void *writer(void *arg) {
    __VERIFIER_assume(y != 0);
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    assert(x == 0);
    return 0;
}
