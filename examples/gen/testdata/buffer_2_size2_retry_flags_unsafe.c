// expect: UNSAFE
//
// A ring of SIZE cells under one lock, between 1 producer of even numbers and 1
// consumer; what is in a cell that is used has to be even. A cell has a flag that it is.
// A thread that has to wait unlocks the ring and tries again.
// Broken: producers send odd numbers, too.
// Made by: comus gen buffer --threads 2 --size 2 --vary retry,flags --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 2
#define SIZE 2

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int cell[SIZE];
int in, out; // where the next number goes to, and is
bool used[SIZE];

static void put(int number) {
    pthread_mutex_lock(&mutex);
    while (used[in]) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    cell[in] = number;
    used[in] = true;
    in = in + 1 < SIZE ? in + 1 : 0;
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    while (!used[out]) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    int number = cell[out];
    used[out] = false;
    out = out + 1 < SIZE ? out + 1 : 0;
    pthread_mutex_unlock(&mutex);
    return number;
}

void *producer(void *arg) {
    (void)arg;
    while (true) {
        int number = __VERIFIER_nondet_int();
        put(number); // should be even
    }
    return 0;
}

void *consumer(void *arg) {
    (void)arg;
    while (true) {
        int number = take();
        assert(number % 2 == 0);
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
