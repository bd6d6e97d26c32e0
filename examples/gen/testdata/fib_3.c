// expect: SAFE
//
// A chain of sums (after fib_bench of SV-COMP): each thread adds the next number to
// its own, 2 times, and the last thread adds 1. A sum is read, read, write.
// The largest v[0] comes from running the threads from the last to the first: 15.
// Made by: comus gen fib --threads 3
#include <assert.h>
#include <pthread.h>

#define THREADS 3
#define ITERATIONS 2

int v[THREADS] = {1, 1, 1};

void *thread0(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        v[0] = v[0] + v[1];
    assert(v[0] <= 15);
    return 0;
}

void *thread1(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        v[1] = v[1] + v[2];
    return 0;
}

void *thread2(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        v[2] = v[2] + 1;
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    pthread_create(&t[2], 0, thread2, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
