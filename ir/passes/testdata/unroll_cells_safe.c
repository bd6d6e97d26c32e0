// expect: SAFE
//
// A loop that the front end leaves alone writes an array by index: after unroll the
// index is constant, and scalars leaves one cell of each choice.
#include <assert.h>
#include <pthread.h>

int a[3], done;

void *writer(void *arg) {
    int i = 0;
    while (1) {
        a[i] = i + 1;
        if (++i == 3)
            break;
    }
    done = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (!done)
        ;
    assert(a[0] + a[1] + a[2] == 6);
    return 0;
}
