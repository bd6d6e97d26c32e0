// expect: UNSAFE
// An object of the heap is published by an atomic exchange: others may change it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *writer(void *arg) {
    if (shared)
        *shared = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    __atomic_exchange_n(&shared, p, __ATOMIC_SEQ_CST);
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(*p == 1);
    return 0;
}
