// expect: SAFE
//
// Threads that all do the same: each adds 1 to x, once, under a lock. When
// all have been joined, x is what they have added.
// They are made in a loop, so that nothing but their number changes with it.
// Made by: comus gen alike --threads 10
#include <assert.h>
#include <pthread.h>

#define THREADS 10
#define ITERATIONS 1

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void add(void) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
}

void *thread(void *arg) {
    (void)arg;
    add();
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, thread, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(x == THREADS * ITERATIONS);
    return 0;
}
