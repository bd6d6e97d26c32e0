// expect: UNSAFE
//
// a and b are never both 0 at one time, but the loop ends when it reads a while it
// is 0 and b later, when b is 0. One atomic assume(!(a || b)) would never let it go.
#include <assert.h>
#include <pthread.h>

int a = 1, b = 1;

void *writer(void *arg) {
    a = 0;
    a = 1;
    b = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (a || b)
        ;
    assert(0);
    return 0;
}
