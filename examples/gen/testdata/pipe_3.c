// expect: SAFE
//
// An endless pipeline: the first stage sends positive numbers, the others pass them
// on, and what arrives at the last stage has to be positive. Mailbox i, between stage
// i and the next, holds one number, or 0 if it is empty, and has a mutex; a stage
// that has to wait unlocks it and tries again.
// Made by: comus gen pipe --threads 3
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3 // and stages

pthread_mutex_t mutex[THREADS - 1] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
int mailbox[THREADS - 1];

// put puts a number into mailbox i as soon as it is empty.
static void put(int i, int number) {
    pthread_mutex_lock(&mutex[i]);
    while (mailbox[i] != 0) {
        pthread_mutex_unlock(&mutex[i]);
        pthread_mutex_lock(&mutex[i]);
    }
    mailbox[i] = number;
    pthread_mutex_unlock(&mutex[i]);
}

// take takes the number from mailbox i as soon as there is one.
static int take(int i) {
    pthread_mutex_lock(&mutex[i]);
    while (mailbox[i] == 0) {
        pthread_mutex_unlock(&mutex[i]);
        pthread_mutex_lock(&mutex[i]);
    }
    int number = mailbox[i];
    mailbox[i] = 0;
    pthread_mutex_unlock(&mutex[i]);
    return number;
}

void *stage0(void *arg) {
    (void)arg;
    while (true) {
        int number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number > 0);
        put(0, number);
    }
    return 0;
}

void *stage1(void *arg) {
    (void)arg;
    while (true)
        put(1, take(0));
    return 0;
}

void *stage2(void *arg) {
    (void)arg;
    while (true)
        assert(take(1) > 0);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, stage0, 0);
    pthread_create(&t[1], 0, stage1, 0);
    pthread_create(&t[2], 0, stage2, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
