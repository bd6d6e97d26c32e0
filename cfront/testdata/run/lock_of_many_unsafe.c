// expect: UNSAFE
// A lock in an array whose length is an input: without it, an increment gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

pthread_mutex_t *locks;
int n, x;

void *add(void *arg) {
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < n);
    pthread_mutex_lock(&locks[i]);
    x++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 < n && n < 3);
    locks = malloc(n * sizeof *locks);
    if (!locks)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&locks[i], 0);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
