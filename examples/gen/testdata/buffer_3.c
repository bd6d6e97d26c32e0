// expect: SAFE
//
// A ring of SIZE cells under one lock, between 2 producers of even numbers and 1
// consumer; what is in a cell that is used has to be even.
// A thread that has to wait sleeps until there is something to do.
// Made by: comus gen buffer --threads 3
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3
#define SIZE 4

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int cell[SIZE];
int in, out; // where the next number goes to, and is
int count; // of the numbers

static void put(int number) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE) {
        pthread_cond_wait(&changed, &mutex);
    }
    cell[in] = number;
    count++;
    in = in + 1 < SIZE ? in + 1 : 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    while (count == 0) {
        pthread_cond_wait(&changed, &mutex);
    }
    int number = cell[out];
    count--;
    out = out + 1 < SIZE ? out + 1 : 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return number;
}

void *producer(void *arg) {
    (void)arg;
    while (true) {
        int number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number % 2 == 0);
        put(number);
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
    pthread_create(&t[1], 0, producer, 0);
    pthread_create(&t[2], 0, consumer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
