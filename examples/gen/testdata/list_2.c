// expect: SAFE
//
// A stack of allocated nodes under a lock: 1 thread puts nodes with positive numbers there,
// for ever, 1 takes them, and the numbers have to be positive.
// Made by: comus gen list --threads 2
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 2

struct node {
    int number;
    struct node *next;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct node *first;

static void put(struct node *n) {
    pthread_mutex_lock(&mutex);
    n->next = first;
    first = n;
    pthread_mutex_unlock(&mutex);
}

// take returns the first node, or 0.
static struct node *take(void) {
    pthread_mutex_lock(&mutex);
    struct node *n = first;
    if (n)
        first = n->next;
    pthread_mutex_unlock(&mutex);
    return n;
}

void *producer(void *arg) {
    (void)arg;
    while (true) {
        int number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number > 0);
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->number = number;
        put(n);
    }
    return 0;
}

void *consumer(void *arg) {
    (void)arg;
    while (true) {
        struct node *n = take();
        if (n) {
            assert(n->number > 0);
            free(n);
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
