// expect: SAFE
//
// Pascal's triangle, one thread a row: an entry within row i is the sum of the two
// above it. The thread of row i works from left to right and waits for both; 0
// stands for an entry that is not there yet. The middle entry of row 2
// has to be the binomial coefficient 2 over 1; later rows do not matter.
// Made by: comus gen pas --threads 3 --local
#include <assert.h>
#include <pthread.h>

#define THREADS 3 // and rows, from 1
#define MIDDLE 1

int P[THREADS + 1][THREADS + 1]; // row 0 is not used

static void row(int i) {
    P[i][0] = 1;
    for (int j = 1; j < i; j++) {
        while (P[i - 1][j - 1] == 0) { }
        while (P[i - 1][j] == 0) { }
        P[i][j] = P[i - 1][j - 1] + P[i - 1][j];
    }
    P[i][i] = 1;
}

void *row1(void *arg) {
    (void)arg;
    row(1);
    return 0;
}

void *row2(void *arg) {
    (void)arg;
    row(2);
    assert(P[2][MIDDLE] == 2);
    return 0;
}

void *row3(void *arg) {
    (void)arg;
    row(3);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, row1, 0);
    pthread_create(&t[1], 0, row2, 0);
    pthread_create(&t[2], 0, row3, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
