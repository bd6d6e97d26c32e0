// expect: SAFE
//
// SIZE accounts, with a lock each; threads transfer 1 from account to account, for ever,
// between any two, if there is something left. No account falls below 0.
// Of two locks the one with the smaller number is taken first.
// Made by: comus gen accounts --threads 3
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define THREADS 3
#define SIZE 3

pthread_mutex_t mutex[SIZE] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
int balance[SIZE] = {1, 1, 1};

static void lock(int a, int b) {
    pthread_mutex_lock(&mutex[a < b ? a : b]);
    pthread_mutex_lock(&mutex[a < b ? b : a]);
}

static void unlock(int a, int b) {
    pthread_mutex_unlock(&mutex[a]);
    pthread_mutex_unlock(&mutex[b]);
}

// transfer moves 1 from one account to another.
static void transfer(int from, int to) {
    lock(from, to);
    if (balance[from] >= 1) {
        balance[from]--;
        balance[to]++;
    }
    assert(balance[from] >= 0);
    unlock(from, to);
}

// account chooses an account.
static int account(void) {
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a >= 0 && a < SIZE);
    return a;
}

void *thread(void *arg) {
    (void)arg;
    while (true) {
        int from = account(), to = account();
        if (from != to)
            transfer(from, to);
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_create(&t[0], 0, thread, 0);
    pthread_create(&t[1], 0, thread, 0);
    pthread_create(&t[2], 0, thread, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
