// expect: UNSAFE
// The address that a thread returns as a number, also in a member of a struct.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int g, h;
struct result {
    int n;
    void *r;
} s;

void *f(void *a) { return &g; }

int main(void) {
    pthread_t t, u;
    void *r;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, &r);
    pthread_join(u, &s.r);
    uintptr_t x = (uintptr_t)r, y = (uintptr_t)s.r;
    assert(x - y == 0);
    assert((x & 3) == 0);
    switch (y == (uintptr_t)&h) {
    case 1:
        break;
    default:
        assert(0);
    }
    return 0;
}
