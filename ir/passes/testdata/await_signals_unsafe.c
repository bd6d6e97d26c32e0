// expect: UNSAFE
//
// An iteration that fails writes a shared variable, for which another thread waits.
#include <assert.h>
#include <pthread.h>

int flag, waiting;

void *writer(void *arg) {
    while (!waiting)
        ;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (!flag)
        waiting = 1;
    assert(0);
    return 0;
}
