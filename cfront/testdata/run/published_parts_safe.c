// expect: SAFE
// An object of the heap is published by the bytes of its address, and as a number; all ways have given it its value.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

unsigned char bytes[sizeof(int *)];
uintptr_t masked;
int __VERIFIER_nondet_int(void);

void *reader(void *arg) {
    int *q;
    memcpy(&q, bytes, sizeof q);
    assert(*q == 1);
    assert(*(int *)(masked ^ 0x5555) == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p), *r = malloc(sizeof *r);
    if (!p || !r)
        return 0;
    *p = *r = 0;
        *p = 1;
    *r = 1;
    for (unsigned i = 0; i < sizeof p; i++)
        bytes[i] = ((unsigned char *)&p)[i];
    masked = (uintptr_t)r ^ 0x5555;
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
