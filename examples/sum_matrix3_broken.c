// expect: UNSAFE
//
// Sums of a matrix with three rows of unbounded inputs, one thread a row. S[i][j] is
// the sum of all entries in the rows from i on and the columns from j on. A
// thread works from the last column to the first and waits, for each cell, until
// the thread of the row below has published the cell it needs; -1 stands for a
// cell that is not there yet.
//
// Broken: thread 0 waits for the cell to the right of the one it needs.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define ROWS 3
#define COLS 3

int S[ROWS][COLS] = {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}};

static int entry(void) {
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a >= 0);
    return a;
}

void *row0(void *arg) {
    int sum = 0; // of this row
    for (int j = COLS - 1; j >= 0; j--) {
        sum += entry();
        if (j + 1 < COLS)
            while (S[1][j + 1] < 0) { } // should be S[1][j]
        S[0][j] = sum + S[1][j];
    }
    assert(S[0][0] >= 0);
    for (int j = 0; j < COLS; j++)
        assert(S[0][j] >= S[1][j]);
    return 0;
}

void *row1(void *arg) {
    int sum = 0; // of this row
    for (int j = COLS - 1; j >= 0; j--) {
        sum += entry();
        while (S[2][j] < 0) { }
        S[1][j] = sum + S[2][j];
    }
    return 0;
}

void *row2(void *arg) {
    int sum = 0; // of this row
    for (int j = COLS - 1; j >= 0; j--) {
        sum += entry();
        S[2][j] = sum;
    }
    return 0;
}

int main(void) {
    pthread_t t[ROWS];
    pthread_create(&t[0], 0, row0, 0);
    pthread_create(&t[1], 0, row1, 0);
    pthread_create(&t[2], 0, row2, 0);
    for (int i = 0; i < ROWS; i++)
        pthread_join(t[i], 0);
    return 0;
}
