// expect: UNSAFE
//
// Threads that all do the same: each adds 1 to x, 3 times, under a lock. When
// all have said that they are done, x is what they have added.
// They are made in a loop, so that nothing but their number changes with it.
// Broken: x is read in one step and written in another.
// Made by: comus gen alike --threads 4 --iterations 3 --vary counters --unsafe
#include <assert.h>
#include <pthread.h>

#define THREADS 4
#define ITERATIONS 3

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;
int done;

static void add(void) {
    pthread_mutex_lock(&mutex);
    int old = x;
    pthread_mutex_unlock(&mutex); // should keep the lock
    pthread_mutex_lock(&mutex);
    x = old + 1;
    pthread_mutex_unlock(&mutex);
}

void *thread(void *arg) {
    (void)arg;
    for (int n = 0; n < ITERATIONS; n++)
        add();
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, thread, 0);
    pthread_mutex_lock(&mutex);
    while (done < THREADS) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    assert(x == THREADS * ITERATIONS);
    return 0;
}
