// expect: UNSAFE
// An object of the heap is given its value before another thread can see it, but not on all ways.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *g;
int __VERIFIER_nondet_int(void);

void *reader(void *a) {
    assert(*g == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    if (__VERIFIER_nondet_int())
        *p = 1;
    g = p;
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
