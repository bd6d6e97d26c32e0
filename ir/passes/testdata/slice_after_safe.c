// expect: SAFE
//
// What the writer does after its last write to x is sliced away with z, the wait
// for it, and the end of the thread; what comes before stays: x = 2 waits for y.
#include <assert.h>
#include <pthread.h>

int x, y, z;

void *writer(void *arg) {
    x = 1;
    while (!y)
        ;
    x = 2;
    while (z < 3)
        z++;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    assert(x != 2);
    y = 1;
    return 0;
}
