// expect: SAFE
//
// Dekker's mutual exclusion algorithm for two threads: the first one, with loads
// and stores only. A thread that has not got the turn steps back while the other
// one wants to enter.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool want0 = false, want1 = false;
bool cs0 = false, cs1 = false;
int turn = 0;

void *t0(void *arg) {
    while (true) {
        want0 = true;
        while (want1) {
            if (turn != 0) {
                want0 = false;
                while (turn != 0) { }
                want0 = true;
            }
        }
        cs0 = true;
        // critical section
        assert(!cs1);
        cs0 = false;
        turn = 1;
        want0 = false;
    }
    return 0;
}

void *t1(void *arg) {
    while (true) {
        want1 = true;
        while (want0) {
            if (turn != 1) {
                want1 = false;
                while (turn != 1) { }
                want1 = true;
            }
        }
        cs1 = true;
        // critical section
        cs1 = false;
        turn = 0;
        want1 = false;
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
