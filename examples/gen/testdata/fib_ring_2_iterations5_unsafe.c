// expect: UNSAFE
//
// A ring of sums (after fib_bench of SV-COMP): each thread adds the next number to
// its own, 5 times, and the last thread's next number is the first one.
// A sum is read, read, write. No interleaving takes v[0] above 144; some reach it.
// Broken: the assertion allows one less.
// Made by: comus gen fib --threads 2 --ring --iterations 5 --unsafe
#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define ITERATIONS 5

int v[THREADS] = {1, 1};

void *thread0(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        v[0] = v[0] + v[1];
    assert(v[0] <= 143); // should be 144
    return 0;
}

void *thread1(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        v[1] = v[1] + v[0];
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
