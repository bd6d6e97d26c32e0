// expect: SAFE
//
// Peterson's mutual exclusion algorithm for two threads (CoMuS paper, Fig. 1).
// cs0 and cs1 tell that a thread is in its critical section; t0 checks that they
// never are both.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool claim0 = false, claim1 = false;
bool cs1 = false, cs0 = false;
int turn;

void *t0(void *arg) {
    while (true) {
        claim0 = true;
        turn = 1;
        while (claim1 && turn != 0) { }
        cs0 = true;
        // critical section
        assert(!cs1);
        cs0 = false;
        claim0 = false;
    }
    return 0;
}

void *t1(void *arg) {
    while (true) {
        claim1 = true;
        turn = 0;
        while (claim0 && turn != 1) { }
        cs1 = true;
        // critical section
        cs1 = false;
        claim1 = false;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t0, 0);
    pthread_create(&b, 0, t1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
