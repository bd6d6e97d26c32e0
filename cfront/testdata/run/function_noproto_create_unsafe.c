// expect: UNSAFE
// Thread functions without a parameter, one of which is chosen when the program runs.
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int x;

void *one() {
    x = 1;
    return 0;
}

void *two(void) {
    x = 2;
    return 0;
}

int main(void) {
    void *(*f)() = __VERIFIER_nondet_bool() ? one : (void *(*)())two;
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    assert(x == 1 || x == 1);
    return 0;
}
