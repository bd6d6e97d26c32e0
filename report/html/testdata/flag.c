// A flag says that the data is there; it is written after the data.
#include <assert.h>
#include <pthread.h>

int data, ready;

void *produce(void *arg) {
    data = 42;
    ready = 1;
    return 0;
}

void *consume(void *arg) {
    if (ready)
        assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    return 0;
}
