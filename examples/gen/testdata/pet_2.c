// expect: SAFE
//
// Peterson's mutual exclusion algorithm for two threads (CoMuS paper, Fig. 1). cs0
// and cs1 tell that a thread is in its critical section; thread 0 checks that they
// never are both.
// Made by: comus gen pet --threads 2
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 2

bool claim0 = false, claim1 = false;
bool cs1 = false, cs0 = false;
int turn;

void *thread0(void *arg) {
    (void)arg;
    while (true) {
        claim0 = true;
        turn = 1;
        while (claim1 && turn != 0) { }
        cs0 = true;
        assert(!cs1);
        cs0 = false;
        claim0 = false;
    }
    return 0;
}

void *thread1(void *arg) {
    (void)arg;
    while (true) {
        claim1 = true;
        turn = 0;
        while (claim0 && turn != 1) { }
        cs1 = true;
        cs1 = false;
        claim1 = false;
    }
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
