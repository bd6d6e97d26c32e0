// expect: SAFE
//
// A relay: the first stage sends numbers from 1 to SIZE, each stage between adds 1,
// and what arrives at the last stage has to be what that comes to. Box i, between
// stage i and the next, holds one number and has a lock; a stage that has to wait
// sleeps until the box changes.
// Made by: comus gen relay --threads 4 --size 2 --vary chain,reverse,backward,conditions,counters,main
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 4 // and stages
#define SIZE 2

pthread_mutex_t mutex[THREADS - 1] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
pthread_cond_t changed[THREADS - 1] = {
    PTHREAD_COND_INITIALIZER,
    PTHREAD_COND_INITIALIZER,
    PTHREAD_COND_INITIALIZER,
};
int box[THREADS - 1];
int sent[THREADS - 1], taken[THREADS - 1]; // modulo 2

// put puts a number into box i as soon as that is empty.
static void put(int i, int number) {
    pthread_mutex_lock(&mutex[i]);
    while (sent[i] != taken[i]) {
        pthread_cond_wait(&changed[i], &mutex[i]);
    }
    box[i] = number;
    sent[i] = 1 - sent[i];
    pthread_cond_broadcast(&changed[i]);
    pthread_mutex_unlock(&mutex[i]);
}

// take takes the number from box i as soon as there is one.
static int take(int i) {
    pthread_mutex_lock(&mutex[i]);
    while (sent[i] == taken[i]) {
        pthread_cond_wait(&changed[i], &mutex[i]);
    }
    int number = box[i];
    taken[i] = 1 - taken[i];
    pthread_cond_broadcast(&changed[i]);
    pthread_mutex_unlock(&mutex[i]);
    return number;
}

pthread_t t[THREADS];
void *stage0(void *arg);
void *stage1(void *arg);
void *stage2(void *arg);
void *stage3(void *arg);

void *stage3(void *arg) {
    (void)arg;
    pthread_create(&t[2], 0, stage2, 0);
    while (true) {
        (void)take(2);
    }
    return 0;
}

void *stage2(void *arg) {
    (void)arg;
    pthread_create(&t[1], 0, stage1, 0);
    while (true) {
        int number = take(1);
        put(2, number + 1);
    }
    return 0;
}

void *stage1(void *arg) {
    (void)arg;
    pthread_create(&t[0], 0, stage0, 0);
    while (true) {
        int number = take(0);
        put(1, number + 1);
    }
    return 0;
}

void *stage0(void *arg) {
    (void)arg;
    while (true) {
        int number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number >= 1 && number <= SIZE);
        put(0, number);
    }
    return 0;
}

int main(void) {
    pthread_create(&t[3], 0, stage3, 0);
    while (true) {
        pthread_mutex_lock(&mutex[2]);
        if (sent[2] != taken[2])
            assert(box[2] >= 3 && box[2] <= SIZE + 2);
        pthread_mutex_unlock(&mutex[2]);
    }
}
