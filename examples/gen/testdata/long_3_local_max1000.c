// expect: SAFE
//
// Longest increasing subsequence of arbitrary numbers, one thread an index: L[i] is
// the length of a longest one that ends with A[i]. Thread i waits for the lengths
// of all earlier indices, one after the other; 0 stands for a length that is not
// there yet. The property is about the first two numbers.
// Made by: comus gen long --threads 3 --local --max-input 1000
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3 // and numbers

int A[THREADS];
int L[THREADS];

static void length(int i) {
    int longest = 0; // that A[i] can follow
    for (int j = 0; j < i; j++) {
        while (L[j] == 0) { }
        if (A[j] < A[i] && L[j] > longest)
            longest = L[j];
    }
    L[i] = longest + 1;
}

void *index0(void *arg) {
    (void)arg;
    length(0);
    return 0;
}

void *index1(void *arg) {
    (void)arg;
    length(1);
    assert(L[1] >= 1);
    assert(L[1] <= 2);
    return 0;
}

void *index2(void *arg) {
    (void)arg;
    length(2);
    return 0;
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        A[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(A[i] <= 1000);
    }
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, index0, 0);
    pthread_create(&t[1], 0, index1, 0);
    pthread_create(&t[2], 0, index2, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
