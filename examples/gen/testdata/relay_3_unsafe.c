// expect: UNSAFE
//
// A relay: the first stage sends numbers from 1 to SIZE, each stage between adds 1,
// and what arrives at the last stage has to be what that comes to. Box i, between
// stage i and the next, holds one number and has a lock; a stage that has to wait
// unlocks it and tries again.
// Broken: stage 1 adds 2 to the largest number.
// Made by: comus gen relay --threads 3 --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3 // and stages
#define SIZE 1

pthread_mutex_t mutex[THREADS - 1] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
int box[THREADS - 1];
bool full[THREADS - 1];

// put puts a number into box i as soon as that is empty.
static void put(int i, int number) {
    pthread_mutex_lock(&mutex[i]);
    while (full[i]) {
        pthread_mutex_unlock(&mutex[i]);
        pthread_mutex_lock(&mutex[i]);
    }
    box[i] = number;
    full[i] = true;
    pthread_mutex_unlock(&mutex[i]);
}

// take takes the number from box i as soon as there is one.
static int take(int i) {
    pthread_mutex_lock(&mutex[i]);
    while (!full[i]) {
        pthread_mutex_unlock(&mutex[i]);
        pthread_mutex_lock(&mutex[i]);
    }
    int number = box[i];
    full[i] = false;
    pthread_mutex_unlock(&mutex[i]);
    return number;
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

void *stage1(void *arg) {
    (void)arg;
    while (true) {
        int number = take(0);
        put(1, number + (number == SIZE + 0 ? 2 : 1)); // should be number + 1
    }
    return 0;
}

void *stage2(void *arg) {
    (void)arg;
    while (true) {
        int number = take(1);
        assert(number >= 2 && number <= SIZE + 1);
    }
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
