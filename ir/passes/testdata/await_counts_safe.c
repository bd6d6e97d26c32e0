// expect: SAFE
//
// The loop counts how often it has waited, but nobody asks: it only waits.
#include <assert.h>
#include <pthread.h>

int flag, data;

void *writer(void *arg) {
    data = 1;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    unsigned char tries = 0;
    while (!flag)
        tries++;
    assert(data == 1);
    return 0;
}
