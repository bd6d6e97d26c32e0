// expect: UNSAFE
//
// A ticket lock: each thread takes the next number, waits until it is called, is alone
// in its critical section, and calls the next one. It comes once.
// Broken: a number is read in one step and the next one written in another.
// Made by: comus gen ticket --threads 3 --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define ITERATIONS 1

atomic_uint next, called;
int inside;

static void enter(void) {
    unsigned number = next;
    next = number + 1; // should be one step
    while (called != number) { }
    inside++;
    assert(inside == 1);
    inside--;
    called = number + 1;
}

void *thread(void *arg) {
    (void)arg;
    enter();
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread, 0);
    pthread_create(&t[1], 0, thread, 0);
    pthread_create(&t[2], 0, thread, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
