// expect: UNSAFE
//
// Two threads count without a lock: x++ reads x and then writes it, and an
// increment of the other thread in between is lost.
#include <assert.h>
#include <pthread.h>

int x = 0;

void *count(void *arg) {
    x++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
