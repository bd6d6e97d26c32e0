// expect: UNSAFE
//
// A binary tree of threads adds up arbitrary non-negative numbers: node i has one
// of its own, waits for the totals of its children 2i+1 and 2i+2, as far as there
// are such, and publishes the sum. The total of the root, node 0, must be neither
// negative nor below that of a child.
// Broken: the root does not wait for node 2.
// Made by: comus gen tree --threads 6 --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 6 // and nodes

int total[THREADS];
bool done[THREADS];

// number returns a node's own number.
static int number(void) {
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a >= 0);
    return a;
}

// result waits for the total of node i.
static int result(int i) {
    while (!done[i]) { }
    return total[i];
}

void *node0(void *arg) {
    (void)arg;
    int sum = number();
    sum += result(1);
    sum += total[2]; // should be result(2)
    total[0] = sum;
    done[0] = true;
    assert(total[0] >= 0);
    assert(total[0] >= total[1]);
    assert(total[0] >= total[2]);
    return 0;
}

void *node1(void *arg) {
    (void)arg;
    int sum = number();
    sum += result(3);
    sum += result(4);
    total[1] = sum;
    done[1] = true;
    return 0;
}

void *node2(void *arg) {
    (void)arg;
    int sum = number();
    sum += result(5);
    total[2] = sum;
    done[2] = true;
    return 0;
}

void *node3(void *arg) {
    (void)arg;
    int sum = number();
    total[3] = sum;
    done[3] = true;
    return 0;
}

void *node4(void *arg) {
    (void)arg;
    int sum = number();
    total[4] = sum;
    done[4] = true;
    return 0;
}

void *node5(void *arg) {
    (void)arg;
    int sum = number();
    total[5] = sum;
    done[5] = true;
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, node0, 0);
    pthread_create(&t[1], 0, node1, 0);
    pthread_create(&t[2], 0, node2, 0);
    pthread_create(&t[3], 0, node3, 0);
    pthread_create(&t[4], 0, node4, 0);
    pthread_create(&t[5], 0, node5, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
