// expect: UNSAFE
//
// SIZE accounts, under one lock; threads transfer 1 from account to account, for ever,
// each between two of its own, if there is something left. The sum of the accounts stays what it was.
// Broken: the lock is given back within a transfer.
// Made by: comus gen accounts --threads 4 --size 2 --vary one,fixed,main --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 4
#define SIZE 2

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int balance[SIZE] = {1, 1};

static void lock(int a, int b) {
    (void)a, (void)b;
    pthread_mutex_lock(&mutex);
}

static void unlock(int a, int b) {
    (void)a, (void)b;
    pthread_mutex_unlock(&mutex);
}

// transfer moves 1 from one account to another.
static void transfer(int from, int to) {
    lock(from, to);
    bool enough = balance[from] >= 1;
    if (enough)
        balance[from]--;
    unlock(from, to); // should keep the locks
    lock(from, to);
    if (enough)
        balance[to]++;
    unlock(from, to);
}

void *thread0(void *arg) {
    (void)arg;
    while (true)
        transfer(0, 1);
    return 0;
}

void *thread1(void *arg) {
    (void)arg;
    while (true)
        transfer(0, 1);
    return 0;
}

void *thread2(void *arg) {
    (void)arg;
    while (true)
        transfer(1, 0);
    return 0;
}

void *thread3(void *arg) {
    (void)arg;
    while (true)
        transfer(1, 0);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    pthread_create(&t[2], 0, thread2, 0);
    pthread_create(&t[3], 0, thread3, 0);
    while (true) {
        pthread_mutex_lock(&mutex);
        int sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += balance[i];
        assert(sum == SIZE);
        pthread_mutex_unlock(&mutex);
    }
}
