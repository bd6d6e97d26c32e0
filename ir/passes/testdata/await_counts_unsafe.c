// expect: UNSAFE
//
// The loop waits, but counts how often: an iteration that fails has an effect.
#include <assert.h>
#include <pthread.h>

int flag;

void *writer(void *arg) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    unsigned char tries = 0;
    while (!flag)
        tries = 1;
    assert(tries == 0);
    return 0;
}
