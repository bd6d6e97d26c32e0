// expect: SAFE
//
// Nobody waits for what the failing iterations write, but it is read: x is 1 only if
// the loop has failed before.
#include <assert.h>
#include <pthread.h>

int flag, waiting, x;

void *writer(void *arg) {
    x = waiting;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (!flag)
        waiting = 1;
    assert(x == 0 || waiting == 1);
    return 0;
}
