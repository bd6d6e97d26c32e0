// expect: UNSAFE
// The order in which a struct is copied is an assumption, which only counts where others look on.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; } shared, one = {1, 1};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg) {
    shared = one;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    assert(shared.a == shared.b);
    pthread_join(t, 0);
    return 0;
}
