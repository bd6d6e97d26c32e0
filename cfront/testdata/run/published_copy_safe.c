// expect: SAFE
// An object of the heap is published in a struct that is copied; which object it is, is an input, and both have their values.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct handle { int *value; int n; } shared;
int __VERIFIER_nondet_int(void);

void *reader(void *arg) {
    assert(*shared.value == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    if (!p || !q)
        return 0;
    *q = 1;
        *p = 1;
    struct handle h = {__VERIFIER_nondet_int() ? p : q, 1};
    shared = h;
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
