// expect: UNSAFE
//
// The same with a join: now the end of the writer matters, and z with it.
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
    y = 1;
    pthread_join(t, 0);
    assert(x != 2);
    return 0;
}
