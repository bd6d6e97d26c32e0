// expect: SAFE
// A thread counts while another one looks on.
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *counter(void *arg) {
    int i = 0;
    while (i < 3) {
        pthread_mutex_lock(&m);
        x = x + 1;
        pthread_mutex_unlock(&m);
        i = i + 1;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, counter, 0);
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(seen >= 0 && seen <= 3 && x == 3);
    return 0;
}
