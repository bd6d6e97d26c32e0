// expect: UNSAFE
//
// A queue of allocated nodes under a lock: 2 threads put nodes with positive numbers there,
// 2 times each, 1 takes them, and the numbers have to be positive.
// Broken: a number may be 0.
// Made by: comus gen list --threads 3 --size 2 --vary queue,names --unsafe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3
#define SIZE 2

struct node {
    int k8;
    struct node *m7;
};

pthread_mutex_t q5 = PTHREAD_MUTEX_INITIALIZER;
struct node *w2, *s4;

static void g10(struct node *o6) {
    pthread_mutex_lock(&q5);
    o6->m7 = 0;
    if (w2)
        s4->m7 = o6;
    else
        w2 = o6;
    s4 = o6;
    pthread_mutex_unlock(&q5);
}

// take returns the first node, or 0.
static struct node *c12(void) {
    pthread_mutex_lock(&q5);
    struct node *o6 = w2;
    if (o6)
        w2 = o6->m7;
    pthread_mutex_unlock(&q5);
    return o6;
}

void *i9(void *z0) {
    (void)z0;
    for (int u3 = 0; u3 < SIZE; u3++) {
        int k8 = __VERIFIER_nondet_int();
        __VERIFIER_assume(k8 >= 0); // should be number > 0
        struct node *o6 = malloc(sizeof *o6);
        if (!o6)
            return 0;
        o6->k8 = k8;
        g10(o6);
    }
    return 0;
}

void *y1(void *z0) {
    (void)z0;
    while (true) {
        struct node *o6 = c12();
        if (o6) {
            assert(o6->k8 > 0);
            free(o6);
        }
    }
    return 0;
}

int main(void) {
    pthread_t e11[THREADS];
    pthread_create(&e11[0], 0, i9, 0);
    pthread_create(&e11[1], 0, i9, 0);
    pthread_create(&e11[2], 0, y1, 0);
    for (int u3 = 0; u3 < THREADS; u3++)
        pthread_join(e11[u3], 0);
    return 0;
}
