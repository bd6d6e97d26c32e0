// expect: UNSAFE
// A step that reads a variable twice, in a loop, while another thread writes it.
#include <assert.h>
#include <pthread.h>

int x, n;

void *count(void *arg) {
    for (int i = 0; i < 3; i++)
        x = x + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    while (x + x < 4) { n++; }
    assert(x > 0 && x < 3);
    return 0;
}
