// expect: UNSAFE
//
// Sums of a matrix of arbitrary non-negative numbers, one thread a row: S[i][j] is
// the sum of all entries in the rows from i on and the columns from j on. A thread
// works from the last column to the first and waits for each cell of the row below;
// -1 stands for a cell that is not there yet. Threads from 2 on do not matter.
// Broken: thread 0 does not wait.
// Made by: comus gen mat --threads 4 --local --max-input 1000 --unsafe
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 4 // and rows
#define COLUMNS 3

int S[THREADS][COLUMNS] = {
    {-1, -1, -1},
    {-1, -1, -1},
    {-1, -1, -1},
    {-1, -1, -1},
};

// entry returns an entry of the matrix.
static int entry(void) {
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a >= 0 && a <= 1000);
    return a;
}

// below returns the cell below S[i][j] as soon as it is there.
static int below(int i, int j) {
    if (i == THREADS - 1)
        return 0;
    if (i > 0) // should not be there
        while (S[i + 1][j] < 0) { }
    return S[i + 1][j];
}

static void row(int i) {
    int sum = 0; // of this row, from column j on
    for (int j = COLUMNS - 1; j >= 0; j--) {
        sum += entry();
        S[i][j] = sum + below(i, j);
    }
}

void *row0(void *arg) {
    (void)arg;
    row(0);
    assert(S[0][0] >= 0);
    for (int j = 0; j < COLUMNS; j++)
        assert(S[0][j] >= S[1][j]);
    return 0;
}

void *row1(void *arg) {
    (void)arg;
    row(1);
    return 0;
}

void *row2(void *arg) {
    (void)arg;
    row(2);
    return 0;
}

void *row3(void *arg) {
    (void)arg;
    row(3);
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, row0, 0);
    pthread_create(&t[1], 0, row1, 0);
    pthread_create(&t[2], 0, row2, 0);
    pthread_create(&t[3], 0, row3, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
