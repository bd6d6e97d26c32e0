// expect: SAFE
//
// The loop reads a before b, so it never ends: when a is 0, b is 1 for good.
#include <assert.h>
#include <pthread.h>

int a = 1, b = 1;

void *writer(void *arg) {
    b = 0;
    b = 1;
    a = 0;
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
